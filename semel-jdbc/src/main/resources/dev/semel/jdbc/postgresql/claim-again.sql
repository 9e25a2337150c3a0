-- Claims the right to execute where a record is there and has to be written, for many requests at once. A row for each that
-- was decided: its position, the decision, and the record. No row: somebody else was faster or the record is gone, so that
-- it is asked from the start.
--
-- Requests come in the order of their identities, and rows are written in that order, so that no two batches wait for each
-- other. What is written is Changes.granted, grantedAgain or givenUp, with its entry in the audit. The clock was read before
-- the statement may have waited for a row, so updated_at takes care not to go back behind what it waited for.

WITH request AS MATERIALIZED (
    SELECT q.position, q.scope, q.key, q.operation, q.fingerprint, q.lease * interval '1 microsecond' AS lease,
           q.reexecutable, q.holder, clock_timestamp() AS at
    FROM unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::bigint[], ?::boolean[], ?::text[])
         WITH ORDINALITY AS q (scope, key, operation, fingerprint, lease, reexecutable, holder, position)
),

-- Row by row what Transitions.onClaim says.
judged AS MATERIALIZED (
    SELECT q.position, q.at, q.operation AS new_operation, q.fingerprint AS new_fingerprint, q.lease,
           q.reexecutable AS new_reexecutable, q.holder AS new_holder,
           r.scope, r.key, r.operation, r.fingerprint, r.state, r.fence, r.attempts, r.reexecutable, r.holder,
           r.locked_until, r.expires_at, r.created_at, r.updated_at, r.claimed_at, r.doubt_since,
           r.response, r.reason, r.evidence_source, r.evidence_detail, r.steps,
           r.unknown_since, r.tries, r.next_try_at,
           CASE
               WHEN r.state = 'expired' OR r.expires_at <= q.at THEN 'grant_new'
               WHEN r.fingerprint <> q.fingerprint THEN 'answer_mismatch'
               WHEN r.state = 'completed' THEN 'answer_recorded'
               WHEN r.state = 'failed_retryable' AND (r.doubt_since IS NULL OR q.reexecutable) THEN 'grant_again'
               WHEN r.state = 'failed_retryable' THEN 'become_unknown'
               WHEN r.state = 'unknown' THEN 'answer_unknown'
               WHEN r.locked_until > q.at AND r.holder = q.holder THEN 'grant_same'
               WHEN r.locked_until > q.at THEN 'answer_busy'
               WHEN r.reexecutable AND q.reexecutable THEN 'grant_again'
               ELSE 'become_unknown'
           END AS decision
    FROM request q JOIN semel_record r ON r.scope = q.scope AND r.key = q.key
),

-- Writes only if the record still is the one that was judged: these three columns change whenever the judgement could.
-- Steps and doubt may have changed without them, by the last word of an attempt whose lease had expired: they are taken
-- from the record and not from the judgement.
again AS MATERIALIZED (
    SELECT j.*, nextval('semel_fence') AS new_fence
    FROM judged j
    WHERE j.decision IN ('grant_new', 'grant_again')
),
granted AS (
    UPDATE semel_record r
    SET operation = j.new_operation, fingerprint = j.new_fingerprint, state = 'in_progress', fence = j.new_fence,
        attempts = CASE j.decision WHEN 'grant_new' THEN 1 ELSE j.attempts + 1 END,
        reexecutable = j.new_reexecutable, holder = j.new_holder, locked_until = j.at + j.lease, expires_at = NULL,
        created_at = CASE j.decision WHEN 'grant_new' THEN j.at ELSE j.created_at END,
        updated_at = greatest(j.at, r.updated_at), claimed_at = j.at,
        doubt_since = CASE
            WHEN j.decision = 'grant_new' THEN NULL
            WHEN j.state = 'in_progress' THEN coalesce(r.doubt_since, r.claimed_at)
            ELSE r.doubt_since
        END,
        steps = CASE j.decision WHEN 'grant_again' THEN r.steps END,
        response = NULL, reason = NULL, evidence_source = NULL, evidence_detail = NULL,
        audit = semel_history(r) || ROW(
            greatest(j.at, r.updated_at),
            CASE WHEN j.decision = 'grant_again' AND r.state = 'in_progress' THEN 'taken_over' ELSE 'granted' END,
            j.new_fence,
            CASE j.decision WHEN 'grant_new' THEN 'expired' ELSE r.state END, 'in_progress',
            j.new_holder, NULL)::semel_entry
    FROM again j
    WHERE r.scope = j.scope AND r.key = j.key
      AND r.fence = j.fence AND r.state = j.state AND r.locked_until IS NOT DISTINCT FROM j.locked_until
    RETURNING j.position, j.at, j.decision, r.scope, r.key, r.operation, r.fingerprint, r.state, r.fence, r.attempts,
              r.reexecutable, r.holder, r.locked_until, r.expires_at, r.created_at, r.updated_at, r.claimed_at,
              r.doubt_since, r.response, r.reason, r.evidence_source, r.evidence_detail, r.steps,
              r.unknown_since, r.tries, r.next_try_at
),

given_up AS (
    UPDATE semel_record r
    SET state = 'unknown', locked_until = NULL, expires_at = NULL, updated_at = greatest(j.at, r.updated_at),
        reason = 'in_progress_lock_expired', evidence_source = NULL, evidence_detail = NULL,
        unknown_since = j.at, tries = 0, next_try_at = j.at,
        audit = semel_history(r) || ROW(
            greatest(j.at, r.updated_at), 'given_up', r.fence, r.state, 'unknown',
            j.new_holder, 'in_progress_lock_expired')::semel_entry
    FROM judged j
    WHERE r.scope = j.scope AND r.key = j.key
      AND j.decision = 'become_unknown'
      AND r.fence = j.fence AND r.state = j.state AND r.locked_until IS NOT DISTINCT FROM j.locked_until
    RETURNING j.position, j.at, j.decision, r.scope, r.key, r.operation, r.fingerprint, r.state, r.fence, r.attempts,
              r.reexecutable, r.holder, r.locked_until, r.expires_at, r.created_at, r.updated_at, r.claimed_at,
              r.doubt_since, r.response, r.reason, r.evidence_source, r.evidence_detail, r.steps,
              r.unknown_since, r.tries, r.next_try_at
)

TABLE granted
UNION ALL
TABLE given_up
UNION ALL
SELECT j.position, j.at, j.decision, j.scope, j.key, j.operation, j.fingerprint, j.state, j.fence, j.attempts,
       j.reexecutable, j.holder, j.locked_until, j.expires_at, j.created_at, j.updated_at, j.claimed_at,
       j.doubt_since, j.response, j.reason, j.evidence_source, j.evidence_detail, j.steps,
       j.unknown_since, j.tries, j.next_try_at
FROM judged j
WHERE j.decision NOT IN ('grant_new', 'grant_again', 'become_unknown')
