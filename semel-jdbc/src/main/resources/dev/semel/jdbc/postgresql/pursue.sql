-- Says how the search for evidence goes on. One row: done. No row: refused, nothing was written.
--
-- The state comes out of the request lest the planner takes the index of all unknown records for the shortest way.

WITH request AS MATERIALIZED (
    SELECT ?::text AS scope, ?::text AS key, ?::bigint AS fence,
           ?::text AS change, ?::integer AS tries, ?::bigint * interval '1 microsecond' AS delay,
           ?::text AS evidence_source, ?::text AS evidence_detail,
           'unknown'::text AS from_state, clock_timestamp() AS at
),
pursued AS (
    UPDATE semel_record r
    SET updated_at = greatest(q.at, r.updated_at),
        tries = CASE q.change WHEN 'requeued' THEN 0 ELSE r.tries END,
        next_try_at = CASE q.change WHEN 'rescheduled' THEN q.at + q.delay WHEN 'requeued' THEN q.at END
    FROM request q
    WHERE r.scope = q.scope AND r.key = q.key AND r.fence = q.fence AND r.state = q.from_state
      AND (q.change = 'requeued' OR (r.tries = q.tries AND r.next_try_at IS NOT NULL))
    RETURNING r.*, q.from_state, q.change, q.evidence_source AS who, q.evidence_detail AS why
),
audited AS (
    INSERT INTO semel_audit (scope, key, at, change, fence, from_state, to_state, who, why)
    SELECT scope, key, updated_at, change, fence, from_state, state, who, why
    FROM pursued
)
SELECT from_state FROM pursued
