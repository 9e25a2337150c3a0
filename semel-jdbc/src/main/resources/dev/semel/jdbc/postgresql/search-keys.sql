-- Lists records whose keys lie between two texts, of one scope or of all, by the primary key.

SELECT r.scope, r.key, r.operation, r.fingerprint, r.state, r.fence, r.attempts, r.reexecutable, r.holder,
       r.locked_until, r.expires_at, r.created_at, r.updated_at, r.claimed_at, r.doubt_since,
       NULL::bytea AS response, r.reason, r.evidence_source, r.evidence_detail, NULL::bytea AS steps,
       r.unknown_since, r.tries, r.next_try_at, clock_timestamp() AS at
FROM semel_record r
WHERE r.key >= ? AND r.key <= ?
  AND (?::text IS NULL OR r.scope = ?::text)
ORDER BY r.key, r.scope
LIMIT ?
