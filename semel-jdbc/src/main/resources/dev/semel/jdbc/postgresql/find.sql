-- Reads records, many at once, and when they were read. A row for each that exists, with its position in the request.

SELECT q.position, clock_timestamp() AS at,
       r.scope, r.key, r.operation, r.fingerprint, r.state, r.fence, r.attempts, r.reexecutable, r.holder,
       r.locked_until, r.expires_at, r.created_at, r.updated_at, r.claimed_at, r.doubt_since,
       r.response, r.reason, r.evidence_source, r.evidence_detail, r.steps,
       r.unknown_since, r.tries, r.next_try_at
FROM unnest(?::text[], ?::text[]) WITH ORDINALITY AS q (scope, key, position)
JOIN semel_record r ON r.scope = q.scope AND r.key = q.key
