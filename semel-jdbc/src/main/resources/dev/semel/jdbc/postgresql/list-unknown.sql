-- Lists unknown records in the order of their identities, after the last one of the page before.
--
-- Sub-selects around the values of the request: they are read once, and the index can be used. No scope is empty, so an
-- empty one sorts before all.

WITH request AS MATERIALIZED (
    SELECT ?::text AS operation, ?::boolean AS dead_lettered,
           coalesce(?::text, '') AS after_scope, coalesce(?::text, '') AS after_key,
           ?::integer AS most, clock_timestamp() AS at
)
SELECT r.*, (SELECT q.at FROM request q) AS at
FROM semel_record r
WHERE r.state = 'unknown'
  AND (r.scope, r.key) > ((SELECT q.after_scope FROM request q), (SELECT q.after_key FROM request q))
  AND ((SELECT q.operation IS NULL FROM request q) OR r.operation = (SELECT q.operation FROM request q))
  AND ((SELECT q.dead_lettered IS NULL FROM request q)
       OR (r.next_try_at IS NULL) = (SELECT q.dead_lettered FROM request q))
ORDER BY r.scope, r.key
LIMIT (SELECT q.most FROM request q)
