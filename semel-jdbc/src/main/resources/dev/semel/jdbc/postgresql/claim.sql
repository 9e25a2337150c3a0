-- Claims the right to execute. One row: what was decided, and the record. No row: somebody else was faster and nothing
-- was decided, so the statement is repeated.
--
-- Judging is a plain read. Where it ends in an answer, nothing is written or locked and no transaction id is taken.
-- What is written is Changes.granted, grantedAgain or givenUp, with its entry in the audit. The clock was read before the
-- statement may have waited for the row, so updated_at takes care not to go back behind what it waited for.

WITH request AS MATERIALIZED (
    SELECT ?::text AS scope, ?::text AS key, ?::text AS operation, ?::text AS fingerprint,
           ?::bigint * interval '1 microsecond' AS lease, ?::boolean AS reexecutable, ?::text AS holder,
           ?::text AS lease_expired,
           clock_timestamp() AS at,
           pg_sequence_last_value('semel_prune') AS deletions
),

-- Row by row what Transitions.onClaim says.
judged AS MATERIALIZED (
    SELECT r.*, q.at,
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

-- The fence is taken before the row is written. Should another claim in between take a higher one, end, outlive its
-- retention and be deleted, this row would bring the lower fence after the higher. Whoever deletes advances semel_prune,
-- and RETURNING runs when the row is in the table: a changed count divides by zero, and the claim is undone and repeated.
inserted AS (
    INSERT INTO semel_record AS r (
        scope, key, operation, fingerprint, state, fence, attempts, reexecutable, holder,
        locked_until, created_at, updated_at, claimed_at)
    SELECT q.scope, q.key, q.operation, q.fingerprint, 'in_progress', nextval('semel_fence'), 1, q.reexecutable, q.holder,
           q.at + q.lease, q.at, q.at, q.at
    FROM request q
    WHERE NOT EXISTS (SELECT FROM judged)
    ON CONFLICT (scope, key) DO NOTHING
    RETURNING r.*, r.created_at AS at,
        CASE 1 / (pg_sequence_last_value('semel_prune') IS NOT DISTINCT FROM (SELECT q.deletions FROM request q))::integer
            WHEN 1 THEN 'grant_new'
        END AS decision
),

-- Writes only if the record still is the one that was judged: these three columns change whenever the judgement could.
-- Steps and doubt may have changed without them, by the last word of an attempt whose lease had expired: they are taken
-- from the record and not from the judgement.
granted AS (
    UPDATE semel_record r
    SET operation = q.operation, fingerprint = q.fingerprint, state = 'in_progress', fence = nextval('semel_fence'),
        attempts = CASE j.decision WHEN 'grant_new' THEN 1 ELSE j.attempts + 1 END,
        reexecutable = q.reexecutable, holder = q.holder, locked_until = q.at + q.lease, expires_at = NULL,
        created_at = CASE j.decision WHEN 'grant_new' THEN q.at ELSE j.created_at END,
        updated_at = greatest(q.at, r.updated_at), claimed_at = q.at,
        doubt_since = CASE
            WHEN j.decision = 'grant_new' THEN NULL
            WHEN j.state = 'in_progress' THEN coalesce(r.doubt_since, r.claimed_at)
            ELSE r.doubt_since
        END,
        steps = CASE j.decision WHEN 'grant_again' THEN r.steps END,
        response = NULL, reason = NULL, evidence_source = NULL, evidence_detail = NULL
    FROM judged j CROSS JOIN request q
    WHERE r.scope = q.scope AND r.key = q.key
      AND j.decision IN ('grant_new', 'grant_again')
      AND r.fence = j.fence AND r.state = j.state AND r.locked_until IS NOT DISTINCT FROM j.locked_until
    RETURNING r.*, q.at, j.decision
),

given_up AS (
    UPDATE semel_record r
    SET state = 'unknown', locked_until = NULL, expires_at = NULL, updated_at = greatest(q.at, r.updated_at),
        reason = q.lease_expired, evidence_source = NULL, evidence_detail = NULL,
        unknown_since = q.at, tries = 0, next_try_at = q.at
    FROM judged j CROSS JOIN request q
    WHERE r.scope = q.scope AND r.key = q.key
      AND j.decision = 'become_unknown'
      AND r.fence = j.fence AND r.state = j.state AND r.locked_until IS NOT DISTINCT FROM j.locked_until
    RETURNING r.*, q.at, j.decision
),

written AS (
    TABLE inserted
    UNION ALL
    TABLE granted
    UNION ALL
    TABLE given_up
),

audited AS (
    INSERT INTO semel_audit (scope, key, at, change, fence, from_state, to_state, who, why)
    SELECT w.scope, w.key, w.updated_at,
           CASE
               WHEN w.decision = 'become_unknown' THEN 'given_up'
               WHEN w.decision = 'grant_again' AND j.state = 'in_progress' THEN 'taken_over'
               ELSE 'granted'
           END,
           w.fence, CASE WHEN w.decision = 'grant_new' AND j.state IS NOT NULL THEN 'expired' ELSE j.state END, w.state,
           q.holder, w.reason
    FROM written w CROSS JOIN request q LEFT JOIN judged j ON true
)

TABLE written
UNION ALL
SELECT * FROM judged WHERE decision NOT IN ('grant_new', 'grant_again', 'become_unknown')
