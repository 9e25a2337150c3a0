-- Settles an unknown record on evidence. One row: done. No row: refused, nothing was written.
--
-- The state is taken from the request so that the planner does not choose the index of all unknown records.

WITH request AS MATERIALIZED (
    SELECT ?::text AS scope, ?::text AS key, ?::bigint AS fence,
           ?::text AS state, ?::bytea AS response, ?::text AS reason,
           ?::bigint * interval '1 microsecond' AS retention,
           ?::text AS evidence_source, ?::text AS evidence_detail,
           'unknown'::text AS from_state, clock_timestamp() AS at
)
UPDATE semel_record r
SET state = q.state, expires_at = greatest(q.at, r.created_at) + q.retention, updated_at = greatest(q.at, r.updated_at),
    response = q.response, reason = q.reason,
    evidence_source = q.evidence_source, evidence_detail = q.evidence_detail,
    doubt_since = NULL, steps = CASE WHEN q.state <> 'completed' THEN r.steps END,
    unknown_since = NULL, tries = 0, next_try_at = NULL,
    audit = semel_history(r) || ROW(
        greatest(q.at, r.updated_at), 'reconciled', r.fence, r.state, q.state,
        q.evidence_source, q.evidence_detail)::semel_entry
FROM request q
WHERE r.scope = q.scope AND r.key = q.key AND r.fence = q.fence AND r.state = q.from_state
RETURNING q.from_state
