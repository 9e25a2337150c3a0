-- Reads a record, and when it was read.

SELECT r.*, clock_timestamp() AS at
FROM semel_record r
WHERE r.scope = ? AND r.key = ?
