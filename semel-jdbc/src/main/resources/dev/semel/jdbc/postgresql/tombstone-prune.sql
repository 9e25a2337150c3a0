-- Deletes tombstones of records that were deleted longer ago than this, oldest first; counts them.

WITH deleted AS (
DELETE FROM semel_tombstone WHERE digest IN (
    SELECT t.digest FROM semel_tombstone t
    WHERE t.deleted_at <= (SELECT clock_timestamp() - ?::bigint * interval '1 microsecond')
    ORDER BY t.deleted_at
    LIMIT ?::integer
    FOR UPDATE SKIP LOCKED
)
RETURNING digest
)
SELECT count(*) AS pruned FROM deleted
