-- Claims the right to execute where a record is there and has to be written, for many requests at once. A row for each that
-- was decided: its position, the decision, and the record. No row: another transaction wrote first or the record is gone,
-- and the claim starts again.
--
-- Requests are in the order of their identities, and rows are written in that order, so that no two batches wait for each
-- other. What is written is Changes.granted, grantedAgain or givenUp, with its entry in the audit. The clock was read before
-- the statement may have waited for a row, so updated_at is never below that of the row it waited for.

WITH request AS MATERIALIZED (
    SELECT q.position, q.scope, q.key, q.operation, q.fingerprint, q.lease * interval '1 microsecond' AS lease,
           q.reexecutable, q.holder,
           timestamptz 'epoch' + q.first_at * interval '1 microsecond' AS first_at,
           timestamptz 'epoch' + q.end_at * interval '1 microsecond' AS end_at, q.refuses_expired, clock_timestamp() AS at
    FROM unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::bigint[], ?::boolean[], ?::text[], ?::bigint[], ?::bigint[],
                ?::boolean[])
         WITH ORDINALITY AS q (scope, key, operation, fingerprint, lease, reexecutable, holder, first_at, end_at,
                               refuses_expired, position)
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
               WHEN r.state = 'expired' OR r.expires_at <= q.at THEN CASE
                   WHEN q.refuses_expired AND r.reason IS DISTINCT FROM 'forgotten' THEN 'answer_too_late'
                   WHEN greatest(q.at, r.expires_at) >= q.end_at THEN 'answer_too_late'
                   WHEN q.at < q.first_at THEN 'answer_too_early'
                   ELSE 'grant_new'
               END
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

writing AS MATERIALIZED (
    SELECT j.*, j.decision <> 'become_unknown' AS grants,
           CASE WHEN j.decision <> 'become_unknown' THEN nextval('semel_fence') END AS new_fence
    FROM judged j
    WHERE j.decision IN ('grant_new', 'grant_again', 'become_unknown')
),

-- Writes only if the record still is the one that was judged: these three columns change whenever the judgement could.
-- Steps and doubt may have changed without them, by the last write of an attempt whose lease had expired: they are taken
-- from the record and not from the judgement. One statement for grants and for what is given up, so that there is one order
-- in which rows are locked.
written AS (
    UPDATE semel_record r
    SET operation = CASE WHEN j.grants THEN j.new_operation ELSE r.operation END,
        fingerprint = CASE WHEN j.grants THEN j.new_fingerprint ELSE r.fingerprint END,
        state = CASE WHEN j.grants THEN 'in_progress' ELSE 'unknown' END,
        fence = coalesce(j.new_fence, r.fence),
        attempts = CASE j.decision WHEN 'grant_new' THEN 1 WHEN 'grant_again' THEN j.attempts + 1 ELSE r.attempts END,
        reexecutable = CASE WHEN j.grants THEN j.new_reexecutable ELSE r.reexecutable END,
        holder = CASE WHEN j.grants THEN j.new_holder ELSE r.holder END,
        locked_until = CASE WHEN j.grants THEN j.at + j.lease END,
        expires_at = NULL,
        created_at = CASE j.decision WHEN 'grant_new' THEN j.at ELSE r.created_at END,
        updated_at = greatest(j.at, r.updated_at),
        claimed_at = CASE WHEN j.grants THEN j.at ELSE r.claimed_at END,
        doubt_since = CASE
            WHEN j.decision = 'grant_new' THEN NULL
            WHEN j.decision = 'grant_again' AND j.state = 'in_progress' THEN coalesce(r.doubt_since, r.claimed_at)
            ELSE r.doubt_since
        END,
        steps = CASE WHEN j.decision <> 'grant_new' THEN r.steps END,
        response = NULL, evidence_source = NULL, evidence_detail = NULL,
        reason = CASE WHEN NOT j.grants THEN 'in_progress_lock_expired' END,
        unknown_since = CASE WHEN NOT j.grants THEN j.at END,
        tries = 0,
        next_try_at = CASE WHEN NOT j.grants THEN j.at END,
        audit = semel_history(r) || ROW(
            greatest(j.at, r.updated_at),
            CASE
                WHEN NOT j.grants THEN 'given_up'
                WHEN j.decision = 'grant_again' AND r.state = 'in_progress' THEN 'taken_over'
                ELSE 'granted'
            END,
            coalesce(j.new_fence, r.fence),
            CASE j.decision WHEN 'grant_new' THEN 'expired' ELSE r.state END,
            CASE WHEN j.grants THEN 'in_progress' ELSE 'unknown' END,
            split_part(j.new_holder, E'\n', 1),
            CASE WHEN NOT j.grants THEN 'in_progress_lock_expired' END)::semel_entry
    FROM writing j
    WHERE r.scope = j.scope AND r.key = j.key
      AND r.fence = j.fence AND r.state = j.state AND r.locked_until IS NOT DISTINCT FROM j.locked_until
    RETURNING j.position, j.at, j.decision, r.scope, r.key, r.operation, r.fingerprint, r.state, r.fence, r.attempts,
              r.reexecutable, r.holder, r.locked_until, r.expires_at, r.created_at, r.updated_at, r.claimed_at,
              r.doubt_since, r.response, r.reason, r.evidence_source, r.evidence_detail, r.steps,
              r.unknown_since, r.tries, r.next_try_at
)

TABLE written
UNION ALL
SELECT j.position, j.at, j.decision, j.scope, j.key, j.operation, j.fingerprint, j.state, j.fence, j.attempts,
       j.reexecutable, j.holder, j.locked_until, j.expires_at, j.created_at, j.updated_at, j.claimed_at,
       j.doubt_since, j.response, j.reason, j.evidence_source, j.evidence_detail, j.steps,
       j.unknown_since, j.tries, j.next_try_at
FROM judged j
WHERE j.decision NOT IN ('grant_new', 'grant_again', 'become_unknown')
