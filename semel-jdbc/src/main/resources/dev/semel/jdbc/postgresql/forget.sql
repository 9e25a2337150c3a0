-- Lets a settled record expire now, and marks it. One row: done. No row: refused, nothing was written.

WITH request AS MATERIALIZED (
    SELECT ?::text AS scope, ?::text AS key, ?::bigint AS fence,
           ?::text AS evidence_source, ?::text AS evidence_detail, clock_timestamp() AS at
),
settled AS MATERIALIZED (
    SELECT r.scope, r.key, r.state, q.at, q.evidence_source, q.evidence_detail
    FROM request q JOIN semel_record r ON r.scope = q.scope AND r.key = q.key AND r.fence = q.fence
    WHERE r.state IN ('completed', 'failed_retryable') AND r.expires_at > q.at
    FOR UPDATE OF r
)
UPDATE semel_record r
SET state = 'expired', response = NULL, steps = NULL, reason = 'forgotten', expires_at = s.at, updated_at = greatest(s.at, r.updated_at),
    audit = semel_history(r) || ROW(
        greatest(s.at, r.updated_at), 'forgotten', r.fence, r.state, 'expired',
        s.evidence_source, s.evidence_detail)::semel_entry
FROM settled s
WHERE r.scope = s.scope AND r.key = s.key
RETURNING s.state AS from_state
