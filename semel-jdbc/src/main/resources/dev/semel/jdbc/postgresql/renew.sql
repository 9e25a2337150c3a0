-- Renews leases from now, many at once, also those that a sweep has marked. A row for each that was renewed: its
-- position. No row: the lease is lost. No lease occurs twice.
--
-- Requests are in the order of their identities, so that no two batches wait for each other. The state is taken
-- from the request so that the planner does not choose the index of all running attempts.

WITH request AS MATERIALIZED (
    SELECT q.position, q.scope, q.key, q.fence, q.lease * interval '1 microsecond' AS lease,
           'in_progress'::text AS from_state, clock_timestamp() AS at
    FROM unnest(?::text[], ?::text[], ?::bigint[], ?::bigint[])
         WITH ORDINALITY AS q (scope, key, fence, lease, position)
)
UPDATE semel_record r
SET locked_until = q.at + q.lease, updated_at = greatest(q.at, r.updated_at), reason = NULL
FROM request q
WHERE r.scope = q.scope AND r.key = q.key AND r.fence = q.fence AND r.state = q.from_state
RETURNING q.position
