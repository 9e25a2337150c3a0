-- Finds records in progress whose lease has expired and that no sweep has found yet, oldest first.

SELECT r.* FROM semel_record r
WHERE r.state = 'in_progress' AND r.reason IS NULL AND r.locked_until <= ?1
ORDER BY r.locked_until
LIMIT ?2
