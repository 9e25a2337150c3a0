-- Lists records of one stored state by their last claim, oldest first: those after a place, up to a latest time. Without
-- responses and steps, which may be large.

SELECT r.scope, r.`key`, r.operation, r.fingerprint, r.state, r.fence, r.attempts, r.reexecutable, r.holder,
       r.locked_until, r.expires_at, r.created_at, r.updated_at, r.claimed_at, r.doubt_since,
       NULL AS response, r.reason, r.evidence_source, r.evidence_detail, NULL AS steps,
       r.unknown_since, r.tries, r.next_try_at, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)) AS at
FROM semel_record r FORCE INDEX (semel_record_claimed)
WHERE r.state = ? AND r.claimed_at >= ? AND (r.claimed_at > ? OR r.fence > ?) AND r.claimed_at <= ?
ORDER BY r.claimed_at, r.fence
LIMIT ?
