-- Records a step that an attempt has finished, and ends the doubt about it. One row: recorded. No row: the lease is lost.
--
-- The state is taken from the request so that the planner does not choose the index of all running attempts.

WITH request AS MATERIALIZED (
    SELECT ?::text AS scope, ?::text AS key, ?::bigint AS fence, ?::text AS name, ?::bytea AS step,
           'in_progress'::text AS from_state, clock_timestamp() AS at
)
UPDATE semel_record r
SET steps = coalesce(r.steps, '') || q.step, doubt_since = NULL, updated_at = greatest(q.at, r.updated_at),
    audit = semel_history(r) || ROW(
        greatest(q.at, r.updated_at), 'step', r.fence, r.state, r.state, split_part(r.holder, E'\n', 1), q.name)::semel_entry
FROM request q
WHERE r.scope = q.scope AND r.key = q.key AND r.fence = q.fence AND r.state = q.from_state
RETURNING r.fence
