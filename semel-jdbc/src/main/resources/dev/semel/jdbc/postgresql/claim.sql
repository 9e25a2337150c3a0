-- Grants claims of keys that have no record, and reads the records of the others, for many requests at once. A row for each:
-- its position and the record; where the claim was granted no position but its holder, the fence and the moment, since the
-- request says the rest. No row: somebody else was faster, and the claim is asked again.
--
-- Requests come in the order of their identities, and rows are written in that order, so that no two batches wait for each
-- other. What is written is Changes.granted, with its entry in the audit. It is meant for keys that are likely new: it takes
-- a fence for each of them, and does not look before it writes.

WITH request AS MATERIALIZED (
    SELECT q.position, q.scope, q.key, q.operation, q.fingerprint, q.lease * interval '1 microsecond' AS lease,
           q.reexecutable, q.holder, nextval('semel_fence') AS fence, clock_timestamp() AS at
    FROM unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::bigint[], ?::boolean[], ?::text[])
         WITH ORDINALITY AS q (scope, key, operation, fingerprint, lease, reexecutable, holder, position)
),

inserted AS (
    INSERT INTO semel_record AS r (
        scope, key, operation, fingerprint, state, fence, attempts, reexecutable, holder,
        locked_until, created_at, updated_at, claimed_at, audit)
    SELECT scope, key, operation, fingerprint, 'in_progress', fence, 1, reexecutable, holder,
           at + lease, at, at, at,
           ARRAY[ROW(at, 'granted', fence, NULL, 'in_progress', holder, NULL)::semel_entry]
    FROM request
    ON CONFLICT (scope, key) DO NOTHING
    RETURNING r.holder, r.fence, r.created_at AS at
),

-- A fence is taken before its row is written. Should another claim in between take a higher one, end, outlive its
-- retention and be deleted, the row would bring the lower fence after the higher. Whoever deletes raises semel_prune to the
-- highest fence that it deletes. This looks when all rows are in the table: a fence that is not above divides by zero, and
-- the claims are undone and repeated.
sound AS MATERIALIZED (
    SELECT 1 / (min(i.fence) > coalesce(pg_sequence_last_value('semel_prune'), 0))::integer AS yes
    FROM inserted i
)

SELECT CASE s.yes WHEN 1 THEN 0 END AS position, i.at,
       NULL AS scope, NULL AS key, NULL AS operation, NULL AS fingerprint, NULL AS state, i.fence, NULL AS attempts,
       NULL AS reexecutable, i.holder, NULL AS locked_until, NULL AS expires_at, NULL AS created_at, NULL AS updated_at,
       NULL AS claimed_at, NULL AS doubt_since, NULL AS response, NULL AS reason, NULL AS evidence_source,
       NULL AS evidence_detail, NULL AS steps, NULL AS unknown_since, NULL AS tries, NULL AS next_try_at
FROM sound s CROSS JOIN inserted i
UNION ALL
SELECT q.position, q.at,
       r.scope, r.key, r.operation, r.fingerprint, r.state, r.fence, r.attempts,
       r.reexecutable, r.holder, r.locked_until, r.expires_at, r.created_at, r.updated_at,
       r.claimed_at, r.doubt_since, r.response, r.reason, r.evidence_source,
       r.evidence_detail, r.steps, r.unknown_since, r.tries, r.next_try_at
FROM request q JOIN semel_record r ON r.scope = q.scope AND r.key = q.key
WHERE q.holder NOT IN (SELECT i.holder FROM inserted i)
