-- Lets the lease run anew from now, also one that the sweeper had noticed. One row: renewed. No row: the lease is lost.
--
-- The state comes out of the request lest the planner takes the index of all running attempts for the shortest way.

WITH request AS MATERIALIZED (
    SELECT ?::text AS scope, ?::text AS key, ?::bigint AS fence,
           ?::bigint * interval '1 microsecond' AS lease,
           'in_progress'::text AS from_state, clock_timestamp() AS at
)
UPDATE semel_record r
SET locked_until = q.at + q.lease, updated_at = greatest(q.at, r.updated_at), reason = NULL
FROM request q
WHERE r.scope = q.scope AND r.key = q.key AND r.fence = q.fence AND r.state = q.from_state
RETURNING r.fence
