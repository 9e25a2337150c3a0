-- Locks records past their retention that wait in a queue, oldest first; skips those that others have locked.

SELECT r.scope, r.`key`, r.operation, r.state, r.reason, r.fence, r.expires_at,
       TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)) AS at
FROM semel_record r FORCE INDEX (semel_record_queue)
WHERE r.queue = ? AND r.queue_at <= TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6))
ORDER BY r.queue_at
LIMIT ?
FOR UPDATE SKIP LOCKED
