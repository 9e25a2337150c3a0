-- Reads records that lock.sql has locked, as they are now: at REPEATABLE READ, a plain read would show them as they were
-- when the transaction began to read. Its time is that of the locks or later, since this statement waits for nothing.

SELECT r.*, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)) AS at
FROM semel_record r FORCE INDEX (PRIMARY)
WHERE [[(r.scope = ? AND r.`key` = ?)| OR ]]
FOR UPDATE
