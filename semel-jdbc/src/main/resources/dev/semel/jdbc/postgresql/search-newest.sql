-- Lists records of one stored state that no attempt holds by their last claim, newest first: those before a place, down to an earliest time. Without
-- responses and steps, which may be large. State and condition are written as the index has them.

SELECT r.scope, r.key, r.operation, r.fingerprint, r.state, r.fence, r.attempts, r.reexecutable, r.holder,
       r.locked_until, r.expires_at, r.created_at, r.updated_at, r.claimed_at, r.doubt_since,
       NULL::bytea AS response, r.reason, r.evidence_source, r.evidence_detail, NULL::bytea AS steps,
       r.unknown_since, r.tries, r.next_try_at, clock_timestamp() AS at
FROM semel_record r
WHERE r.state || '' = ? AND (r.locked_until IS NULL OR (r.reason IS NOT NULL AND r.reexecutable))
  AND (r.claimed_at, r.fence) < (timestamptz 'epoch' + ?::bigint * interval '1 microsecond', ?::bigint)
  AND r.claimed_at >= timestamptz 'epoch' + ?::bigint * interval '1 microsecond'
ORDER BY r.claimed_at DESC, r.fence DESC
LIMIT ?
