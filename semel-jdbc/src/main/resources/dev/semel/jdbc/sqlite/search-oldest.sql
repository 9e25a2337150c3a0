-- Lists records of one stored state that no attempt holds by their last claim, oldest first: those after a place, up to a latest time. Without
-- responses and steps, which may be large. State and condition are written as the index has them.

SELECT r.scope, r.key, r.operation, r.fingerprint, r.state, r.fence, r.attempts, r.reexecutable, r.holder,
       r.locked_until, r.expires_at, r.created_at, r.updated_at, r.claimed_at, r.doubt_since,
       NULL AS response, r.reason, r.evidence_source, r.evidence_detail, NULL AS steps,
       r.unknown_since, r.tries, r.next_try_at
FROM semel_record r INDEXED BY semel_record_search
WHERE r.state || '' = ?1 AND (r.locked_until IS NULL OR r.reason IS NOT NULL)
  AND (r.claimed_at, r.fence) > (?2, ?3) AND r.claimed_at <= ?4
ORDER BY r.claimed_at, r.fence
LIMIT ?5
