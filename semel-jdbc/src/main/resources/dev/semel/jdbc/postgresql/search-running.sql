-- Lists records that an attempt holds, claimed between two times: those first whose leases end first, which the index has in that
-- order. Few records are being executed at a time. Without responses and steps.

SELECT r.scope, r.key, r.operation, r.fingerprint, r.state, r.fence, r.attempts, r.reexecutable, r.holder,
       r.locked_until, r.expires_at, r.created_at, r.updated_at, r.claimed_at, r.doubt_since,
       NULL::bytea AS response, r.reason, r.evidence_source, r.evidence_detail, NULL::bytea AS steps,
       r.unknown_since, r.tries, r.next_try_at, clock_timestamp() AS at
FROM semel_record r
WHERE r.state = 'in_progress' AND (r.reason IS NULL OR NOT r.reexecutable)
  AND r.claimed_at >= timestamptz 'epoch' + ?::bigint * interval '1 microsecond'
  AND r.claimed_at <= timestamptz 'epoch' + ?::bigint * interval '1 microsecond'
ORDER BY r.locked_until
LIMIT ?
