-- Ends one attempt that was granted in the same transaction, as settle.sql does. A row when it was ended.
--
-- The record is there, since this transaction has written it and no other can change it. An insert that meets it goes to it by the
-- primary key, whatever the planner's settings: they are the application's here, and a plan that is kept would go on to read the
-- whole table where it was small when the plan was made. Should the record be gone after all, because the application has
-- undone its claim, then the row that is inserted divides by zero, and the transaction can only be rolled back.

INSERT INTO semel_record AS r (
    scope, key, operation, fingerprint, state, fence, attempts, reexecutable, holder,
    expires_at, created_at, updated_at, claimed_at, unknown_since, response, reason, audit)
SELECT scope, key, '', '', state, fence, 0, false, '',
       CASE WHEN state <> 'unknown' THEN at + retention * interval '1 microsecond' END, at, at, at,
       CASE WHEN state = 'unknown' THEN at END, response, reason, '{}'
FROM (
    SELECT ?::text AS scope, ?::text AS key, ?::bigint AS fence, ?::text AS state, ?::bytea AS response, ?::text AS reason,
           ?::bigint AS retention, clock_timestamp() AS at
    OFFSET 0
) q
ON CONFLICT (scope, key) DO UPDATE
SET state = excluded.state, locked_until = NULL,
    expires_at = excluded.expires_at + greatest(r.created_at - excluded.updated_at, interval '0'),
    updated_at = greatest(excluded.updated_at, r.updated_at), response = excluded.response, reason = excluded.reason,
    evidence_source = NULL, evidence_detail = NULL,
    steps = CASE WHEN excluded.state <> 'completed' THEN r.steps END,
    unknown_since = excluded.unknown_since, tries = 0, next_try_at = excluded.unknown_since,
    audit = CASE WHEN r.audit IS NOT NULL OR excluded.state <> 'completed' THEN semel_history(r) || ROW(
        greatest(excluded.updated_at, r.updated_at), 'settled', r.fence, r.state, excluded.state,
        split_part(r.holder, E'\n', 1), excluded.reason)::semel_entry END
WHERE r.fence = excluded.fence AND r.state = 'in_progress'
RETURNING 'in_progress' AS from_state, 1 / r.attempts AS there
