-- Adds an entry to the audit of a record that changes nothing else. One row: done. No row: refused, nothing was written.

WITH request AS MATERIALIZED (
    SELECT ?::text AS scope, ?::text AS key, ?::bigint AS fence, ?::text AS change,
           ?::text AS evidence_source, ?::text AS evidence_detail, clock_timestamp() AS at
)
UPDATE semel_record r
SET audit = semel_history(r) || ROW(
        greatest(q.at, r.updated_at), q.change, r.fence, r.state, r.state,
        q.evidence_source, q.evidence_detail)::semel_entry
FROM request q
WHERE r.scope = q.scope AND r.key = q.key AND r.fence = q.fence
  AND (r.state = 'completed' AND r.expires_at > q.at AND q.change <> 'proposed'
       OR r.state = 'unknown' AND q.change <> 'replay_refused')
RETURNING r.state AS from_state
