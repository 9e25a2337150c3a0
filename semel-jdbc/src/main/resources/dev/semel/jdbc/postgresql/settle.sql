-- Ends attempts, many at once. A row for each that was ended: its position, and the state it had. No row: refused, nothing
-- was written.
--
-- Requests are in the order of their identities, so that no two batches wait for each other.
-- The answer to a record that was unknown is late, and is its own evidence. A record that is in progress has no evidence,
-- so evidence afterwards means that it was unknown before. OFFSET 0: the clock is read once for each.
--
-- A clock that was set back since the claim does not shorten the retention: it counts from the claim at least.
--
-- Where a record was claimed once and is completed now, its history is read from its columns, and no audit is written: it
-- would be most of the bytes written.

UPDATE semel_record r
SET state = q.state, locked_until = NULL,
    expires_at = CASE WHEN q.state <> 'unknown' THEN greatest(q.at, r.created_at) + q.retention * interval '1 microsecond' END,
    updated_at = greatest(q.at, r.updated_at), response = q.response, reason = q.reason,
    evidence_source = CASE WHEN r.state = 'unknown' THEN q.late_source END,
    evidence_detail = CASE WHEN r.state = 'unknown' THEN q.late_detail END,
    steps = CASE WHEN q.state <> 'completed' THEN r.steps END,
    unknown_since = CASE WHEN q.state = 'unknown' THEN q.at END,
    tries = 0,
    next_try_at = CASE WHEN q.state = 'unknown' THEN q.at END,
    audit = CASE WHEN r.audit IS NOT NULL OR q.state <> 'completed' THEN semel_history(r) || ROW(
        greatest(q.at, r.updated_at), 'settled', r.fence, r.state, q.state, split_part(r.holder, E'\n', 1), q.reason)::semel_entry END
FROM (
    SELECT a.*, ?::text AS late_source, ?::text AS late_detail, clock_timestamp() AS at
    FROM unnest(?::text[], ?::text[], ?::bigint[], ?::text[], ?::bytea[], ?::text[], ?::bigint[])
         WITH ORDINALITY AS a (scope, key, fence, state, response, reason, retention, position)
    OFFSET 0
) q
WHERE r.scope = q.scope AND r.key = q.key AND r.fence = q.fence
  AND (r.state = 'in_progress' OR (r.state = 'unknown' AND q.state = 'completed'))
RETURNING q.position, CASE WHEN r.evidence_source IS NULL THEN 'in_progress' ELSE 'unknown' END AS from_state
