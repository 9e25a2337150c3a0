-- Ends an attempt. One row: the state it had. No row: refused, nothing was written.
--
-- A record that is in progress has no evidence, so evidence afterwards tells that it was unknown before.

WITH request AS MATERIALIZED (
    SELECT ?::text AS scope, ?::text AS key, ?::bigint AS fence,
           ?::text AS state, ?::bytea AS response, ?::text AS reason,
           ?::bigint * interval '1 microsecond' AS retention,
           ?::text AS late_source, ?::text AS late_detail,
           clock_timestamp() AS at
),
settled AS (
    UPDATE semel_record r
    SET state = q.state, locked_until = NULL,
        expires_at = CASE WHEN q.state <> 'unknown' THEN q.at + q.retention END,
        updated_at = greatest(q.at, r.updated_at), response = q.response, reason = q.reason,
        evidence_source = CASE WHEN r.state = 'unknown' THEN q.late_source END,
        evidence_detail = CASE WHEN r.state = 'unknown' THEN q.late_detail END,
        steps = CASE WHEN q.state <> 'completed' THEN r.steps END,
        unknown_since = CASE WHEN q.state = 'unknown' THEN q.at END,
        tries = 0,
        next_try_at = CASE WHEN q.state = 'unknown' THEN q.at END
    FROM request q
    WHERE r.scope = q.scope AND r.key = q.key AND r.fence = q.fence
      AND (r.state = 'in_progress' OR (r.state = 'unknown' AND q.state = 'completed'))
    RETURNING r.*, CASE WHEN r.evidence_source IS NULL THEN 'in_progress' ELSE 'unknown' END AS from_state
),
audited AS (
    INSERT INTO semel_audit (scope, key, at, change, fence, from_state, to_state, who, why)
    SELECT scope, key, updated_at, 'settled', fence, from_state, state, holder, reason
    FROM settled
)
SELECT from_state FROM settled
