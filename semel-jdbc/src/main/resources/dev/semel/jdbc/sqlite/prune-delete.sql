-- Deletes records past their retention, oldest first, marked ones included.

DELETE FROM semel_record WHERE rowid IN (
    SELECT rowid FROM (
        SELECT rowid, expires_at FROM semel_record
        WHERE expires_at IS NOT NULL AND state <> 'expired' AND expires_at <= ?1
        UNION ALL
        SELECT rowid, expires_at FROM semel_record
        WHERE state = 'expired' AND expires_at <= ?1
        ORDER BY expires_at
        LIMIT ?2
    )
)
RETURNING scope, key, operation, state, reason
