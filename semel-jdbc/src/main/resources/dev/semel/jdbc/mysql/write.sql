-- Writes records as they were decided, under the locks under which they were read.

INSERT INTO semel_record (
    scope, `key`, operation, fingerprint, state, fence, attempts, reexecutable, holder,
    locked_until, expires_at, created_at, updated_at, claimed_at, doubt_since,
    response, reason, evidence_source, evidence_detail, steps, unknown_since, tries, next_try_at)
VALUES [[(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)|, ]]
ON DUPLICATE KEY UPDATE
    operation = VALUES(operation), fingerprint = VALUES(fingerprint), state = VALUES(state), fence = VALUES(fence),
    attempts = VALUES(attempts), reexecutable = VALUES(reexecutable), holder = VALUES(holder),
    locked_until = VALUES(locked_until), expires_at = VALUES(expires_at),
    created_at = VALUES(created_at), updated_at = VALUES(updated_at),
    claimed_at = VALUES(claimed_at), doubt_since = VALUES(doubt_since),
    response = VALUES(response), reason = VALUES(reason),
    evidence_source = VALUES(evidence_source), evidence_detail = VALUES(evidence_detail),
    steps = VALUES(steps), unknown_since = VALUES(unknown_since),
    tries = VALUES(tries), next_try_at = VALUES(next_try_at)
