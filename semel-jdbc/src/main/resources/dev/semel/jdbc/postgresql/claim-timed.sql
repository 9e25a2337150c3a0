-- Grants claims of keys that have no record and may be used now, and reads the records of the others, for many requests at
-- once. A row for each: its position and the record, or the decision that refuses it; where the claim was granted, position zero
-- and its holder, the fence and the moment. No row: another claim was granted first, and this one is repeated. What claim.sql
-- says about the order of rows, about fences and about the clock holds here too.
--
-- A key may be used from its first moment until its end. A record of it has not expired before that end; so where the end is
-- after the clock and after the last deletion for age, none of its records is gone. Should this statement stand still, and a record be
-- deleted meanwhile, then semel_deleted is beyond its end when the new row is in the table: that divides by zero, and the
-- claims are undone and repeated.

WITH judged AS MATERIALIZED (
    SELECT q.*, CASE
               WHEN q.at >= timestamptz 'epoch' + q.end_at * interval '1 microsecond'
                 OR coalesce(pg_sequence_last_value('semel_deleted'), 0) >= q.end_at THEN 'answer_too_late'
               WHEN q.at < timestamptz 'epoch' + q.first_at * interval '1 microsecond' THEN 'answer_too_early'
           END AS refused
    FROM (
        SELECT a.*, clock_timestamp() AS at
        FROM unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::bigint[], ?::boolean[], ?::text[], ?::bigint[], ?::bigint[])
             WITH ORDINALITY AS a (scope, key, operation, fingerprint, lease, reexecutable, holder, first_at, end_at, position)
        OFFSET 0
    ) q
),
inserted AS (
    INSERT INTO semel_record AS r (
        scope, key, operation, fingerprint, state, fence, attempts, reexecutable, holder,
        locked_until, created_at, updated_at, claimed_at)
    SELECT scope, key, operation, fingerprint, 'in_progress', fence, 1, reexecutable, holder,
           at + lease * interval '1 microsecond', at, at, at
    FROM (SELECT j.*, nextval('semel_fence') AS fence FROM judged j WHERE j.refused IS NULL OFFSET 0) j
    ON CONFLICT (scope, key) DO NOTHING
    RETURNING r.holder, r.fence, r.created_at AS at,
              1 / (r.fence > coalesce(pg_sequence_last_value('semel_prune'), 0)
                   AND coalesce(pg_sequence_last_value('semel_deleted'), 0)
                       < (SELECT min(j.end_at) FROM judged j WHERE j.refused IS NULL))::integer AS sound
)

SELECT CASE i.sound WHEN 1 THEN 0 END AS position, NULL AS refused, i.at,
       NULL AS scope, NULL AS key, NULL AS operation, NULL AS fingerprint, NULL AS state, i.fence, NULL AS attempts,
       NULL AS reexecutable, i.holder, NULL AS locked_until, NULL AS expires_at, NULL AS created_at, NULL AS updated_at,
       NULL AS claimed_at, NULL AS doubt_since, NULL AS response, NULL AS reason, NULL AS evidence_source,
       NULL AS evidence_detail, NULL AS steps, NULL AS unknown_since, NULL AS tries, NULL AS next_try_at
FROM inserted i
UNION ALL
SELECT j.position, CASE WHEN r.scope IS NULL THEN j.refused END, clock_timestamp(),
       r.scope, r.key, r.operation, r.fingerprint, r.state, r.fence, r.attempts,
       r.reexecutable, r.holder, r.locked_until, r.expires_at, r.created_at, r.updated_at,
       r.claimed_at, r.doubt_since, r.response, r.reason, r.evidence_source,
       r.evidence_detail, r.steps, r.unknown_since, r.tries, r.next_try_at
FROM judged j LEFT JOIN semel_record r ON r.scope = j.scope AND r.key = j.key
WHERE j.holder NOT IN (SELECT i.holder FROM inserted i)
  AND (r.scope IS NOT NULL OR j.refused IS NOT NULL)
