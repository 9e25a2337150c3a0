-- Writes a record as it was decided, under the write lock under which it was read.

INSERT INTO semel_record (
    scope, key, operation, fingerprint, state, fence, attempts, reexecutable, holder,
    locked_until, expires_at, created_at, updated_at, response, reason, evidence_source, evidence_detail)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (scope, key) DO UPDATE SET
    operation = excluded.operation, fingerprint = excluded.fingerprint, state = excluded.state, fence = excluded.fence,
    attempts = excluded.attempts, reexecutable = excluded.reexecutable, holder = excluded.holder,
    locked_until = excluded.locked_until, expires_at = excluded.expires_at,
    created_at = excluded.created_at, updated_at = excluded.updated_at,
    response = excluded.response, reason = excluded.reason,
    evidence_source = excluded.evidence_source, evidence_detail = excluded.evidence_detail
