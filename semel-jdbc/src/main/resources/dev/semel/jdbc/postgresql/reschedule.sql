-- Sets the next try of an unknown record, or dead-letters or requeues it. One row: done. No row: refused, nothing was written.
--
-- The state is taken from the request so that the planner does not choose the index of all unknown records.

WITH request AS MATERIALIZED (
    SELECT ?::text AS scope, ?::text AS key, ?::bigint AS fence,
           ?::text AS change, ?::integer AS tries, ?::bigint * interval '1 microsecond' AS delay,
           ?::text AS evidence_source, ?::text AS evidence_detail,
           'unknown'::text AS from_state, clock_timestamp() AS at
)
UPDATE semel_record r
SET updated_at = greatest(q.at, r.updated_at),
    tries = CASE q.change WHEN 'requeued' THEN 0 ELSE r.tries END,
    next_try_at = CASE q.change WHEN 'rescheduled' THEN q.at + q.delay WHEN 'requeued' THEN q.at END,
    audit = semel_history(r) || ROW(
        greatest(q.at, r.updated_at), q.change, r.fence, r.state, r.state,
        q.evidence_source, q.evidence_detail)::semel_entry
FROM request q
WHERE r.scope = q.scope AND r.key = q.key AND r.fence = q.fence AND r.state = q.from_state
  AND (q.change = 'requeued' OR (r.tries = q.tries AND r.next_try_at IS NOT NULL))
RETURNING q.from_state
