-- Finds unknown records of an operation whose next try is due, oldest first.

SELECT r.* FROM semel_record r
WHERE r.operation = ?1 AND r.state = 'unknown' AND r.next_try_at IS NOT NULL AND r.next_try_at <= ?2
ORDER BY r.next_try_at
LIMIT ?3
