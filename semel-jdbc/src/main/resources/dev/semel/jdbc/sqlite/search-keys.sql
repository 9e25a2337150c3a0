-- Lists records of one scope whose keys lie between two texts, by the primary key.

SELECT r.scope, r.key, r.operation, r.fingerprint, r.state, r.fence, r.attempts, r.reexecutable, r.holder,
       r.locked_until, r.expires_at, r.created_at, r.updated_at, r.claimed_at, r.doubt_since,
       NULL AS response, r.reason, r.evidence_source, r.evidence_detail, NULL AS steps,
       r.unknown_since, r.tries, r.next_try_at
FROM semel_record r
WHERE r.scope = ?1 AND r.key >= ?2 AND r.key <= ?3
ORDER BY r.key
LIMIT ?4
