-- Writes a record as it was decided, under the write lock under which it was read.

INSERT INTO semel_record (
    scope, key, operation, fingerprint, state, fence, attempts, reexecutable, holder,
    locked_until, expires_at, created_at, updated_at, claimed_at, doubt_since,
    response, reason, evidence_source, evidence_detail, steps, unknown_since, tries, next_try_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (scope, key) DO UPDATE SET
    operation = excluded.operation, fingerprint = excluded.fingerprint, state = excluded.state, fence = excluded.fence,
    attempts = excluded.attempts, reexecutable = excluded.reexecutable, holder = excluded.holder,
    locked_until = excluded.locked_until, expires_at = excluded.expires_at,
    created_at = excluded.created_at, updated_at = excluded.updated_at,
    claimed_at = excluded.claimed_at, doubt_since = excluded.doubt_since,
    response = excluded.response, reason = excluded.reason,
    evidence_source = excluded.evidence_source, evidence_detail = excluded.evidence_detail,
    steps = excluded.steps, unknown_since = excluded.unknown_since,
    tries = excluded.tries, next_try_at = excluded.next_try_at
