-- Lists unknown records in the order of their identities, after the last one of the page before. No scope is empty, so an
-- empty one sorts before all.

SELECT r.*, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)) AS at
FROM semel_record r FORCE INDEX (semel_record_unknown)
WHERE r.is_unknown = 1
  AND (r.scope > ? OR (r.scope = ? AND r.`key` > ?))
  AND (? IS NULL OR r.operation = ?)
  AND (? IS NULL OR (r.next_try_at IS NULL) = ?)
ORDER BY r.scope, r.`key`
LIMIT ?
