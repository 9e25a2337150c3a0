-- Marks records past their retention as expired, oldest first, and drops their responses and steps.

UPDATE semel_record
SET state = 'expired', response = NULL, steps = NULL, updated_at = ?1
WHERE rowid IN (
    SELECT rowid FROM semel_record
    WHERE expires_at IS NOT NULL AND state <> 'expired' AND expires_at <= ?1
    ORDER BY expires_at, rowid
    LIMIT ?2
)
