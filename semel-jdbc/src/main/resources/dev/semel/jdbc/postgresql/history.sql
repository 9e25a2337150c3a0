-- Reads what happened to a record, oldest first.

SELECT a.*
FROM semel_audit a
WHERE a.scope = ? AND a.key = ?
ORDER BY a.number
