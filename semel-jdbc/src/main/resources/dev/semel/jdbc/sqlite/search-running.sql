-- Lists records that an attempt holds, claimed between two times: those first whose leases end first, which the index has in that
-- order. Few records are being executed at a time. Without responses and steps.

SELECT r.scope, r.key, r.operation, r.fingerprint, r.state, r.fence, r.attempts, r.reexecutable, r.holder,
       r.locked_until, r.expires_at, r.created_at, r.updated_at, r.claimed_at, r.doubt_since,
       NULL AS response, r.reason, r.evidence_source, r.evidence_detail, NULL AS steps,
       r.unknown_since, r.tries, r.next_try_at
FROM semel_record r INDEXED BY semel_record_lease_end
WHERE r.state = 'in_progress' AND r.reason IS NULL AND r.claimed_at >= ?1 AND r.claimed_at <= ?2
ORDER BY r.locked_until
LIMIT ?3
