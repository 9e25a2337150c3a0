-- Reads records as they are committed, and when they were read. Nothing is locked.
--
-- What stands in double brackets is repeated for every record. FORCE INDEX: on a small table the planner would rather look
-- at all of it, and keep to that while it grows.

SELECT r.*, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)) AS at
FROM semel_record r FORCE INDEX (PRIMARY)
WHERE [[(r.scope = ? AND r.`key` = ?)| OR ]]
