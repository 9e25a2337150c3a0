-- Locks unknown records of an operation whose next try is due, oldest first; skips those that others have locked.

SELECT r.*, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)) AS at
FROM semel_record r FORCE INDEX (semel_record_queue)
WHERE r.queue = CONCAT('ask ', ?) AND r.queue_at <= TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6))
ORDER BY r.queue_at
LIMIT ?
FOR UPDATE SKIP LOCKED
