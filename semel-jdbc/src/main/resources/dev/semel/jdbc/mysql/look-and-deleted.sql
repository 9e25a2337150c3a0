-- look.sql, and the highest time at which records were deleted for their age; it is no more than what it was when they were
-- locked, at READ COMMITTED.
--
-- Reads records that lock.sql has locked, as they are now: at REPEATABLE READ, a plain read would show them as they were
-- when the transaction began to read. Its time is that of the locks or later, since this statement waits for nothing.

SELECT r.*,
       (SELECT t.deleted_at FROM semel_tombstone t WHERE t.digest = x'00000000000000000000000000000000') AS deleted_up_to,
       TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)) AS at
FROM semel_record r FORCE INDEX (PRIMARY)
WHERE [[(r.scope = ? AND r.`key` = ?)| OR ]]
FOR UPDATE
