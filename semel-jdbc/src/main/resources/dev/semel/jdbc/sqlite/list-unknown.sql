-- Lists unknown records in the order of their identities: of one operation or all, dead-lettered or not or both.

SELECT r.* FROM semel_record r
WHERE r.state = 'unknown'
  AND (r.scope, r.key) > (?1, ?2)
  AND (?3 IS NULL OR r.operation = ?3)
  AND (?4 IS NULL OR (r.next_try_at IS NULL) = ?4)
ORDER BY r.scope, r.key
LIMIT ?5
