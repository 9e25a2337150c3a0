-- Lets the lease run anew from now. One row: renewed. No row: the lease is lost.

WITH request AS MATERIALIZED (
    SELECT ?::text AS scope, ?::text AS key, ?::bigint AS fence,
           ?::bigint * interval '1 microsecond' AS lease,
           clock_timestamp() AS at
)
UPDATE semel_record r
SET locked_until = q.at + q.lease, updated_at = q.at
FROM request q
WHERE r.scope = q.scope AND r.key = q.key AND r.fence = q.fence AND r.state = 'in_progress'
RETURNING r.fence
