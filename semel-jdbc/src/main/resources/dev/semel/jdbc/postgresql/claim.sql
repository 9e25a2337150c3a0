-- Grants claims of keys that have no record, and reads the records of the others, for many requests at once. A row for each:
-- its position and the record; where the claim was granted no position but its holder, the fence and the moment, since the
-- request says the rest. No row: another claim was granted first, and this one is repeated.
--
-- Requests are in the order of their identities, and rows are written in that order, so that no two batches wait for each
-- other. What is written is Changes.granted; the first entry of the audit is read from its columns. It is meant for keys that are
-- likely new: it takes a fence for each of them, and does not look before it writes. OFFSET 0: fence and clock are read once.

WITH asked AS MATERIALIZED (
    SELECT ?::text[] AS scopes, ?::text[] AS keys, ?::text[] AS operations, ?::text[] AS fingerprints,
           ?::bigint[] AS leases, ?::boolean[] AS reexecutable, ?::text[] AS holders
),

-- A fence is taken before its row is written. Should another claim in between take a higher one, end, outlive its
-- retention and be deleted, the row would have the lower fence after the higher one. Pruning raises semel_prune to the highest
-- fence that it deletes. This compares when the row is in the table: a fence that is not above it divides by zero, and the
-- claims are undone and repeated.
inserted AS (
    INSERT INTO semel_record AS r (
        scope, key, operation, fingerprint, state, fence, attempts, reexecutable, holder,
        locked_until, created_at, updated_at, claimed_at)
    SELECT scope, key, operation, fingerprint, 'in_progress', fence, 1, reexecutable, holder,
           at + lease * interval '1 microsecond', at, at, at
    FROM (
        SELECT q.*, nextval('semel_fence') AS fence, clock_timestamp() AS at
        FROM asked a CROSS JOIN LATERAL
             unnest(a.scopes, a.keys, a.operations, a.fingerprints, a.leases, a.reexecutable, a.holders)
             AS q (scope, key, operation, fingerprint, lease, reexecutable, holder)
        OFFSET 0
    ) q
    ON CONFLICT (scope, key) DO NOTHING
    RETURNING r.holder, r.fence, r.created_at AS at,
              1 / (r.fence > coalesce(pg_sequence_last_value('semel_prune'), 0))::integer AS sound
)

SELECT CASE i.sound WHEN 1 THEN 0 END AS position, i.at,
       NULL AS scope, NULL AS key, NULL AS operation, NULL AS fingerprint, NULL AS state, i.fence, NULL AS attempts,
       NULL AS reexecutable, i.holder, NULL AS locked_until, NULL AS expires_at, NULL AS created_at, NULL AS updated_at,
       NULL AS claimed_at, NULL AS doubt_since, NULL AS response, NULL AS reason, NULL AS evidence_source,
       NULL AS evidence_detail, NULL AS steps, NULL AS unknown_since, NULL AS tries, NULL AS next_try_at
FROM inserted i
UNION ALL
SELECT q.position, clock_timestamp(),
       r.scope, r.key, r.operation, r.fingerprint, r.state, r.fence, r.attempts,
       r.reexecutable, r.holder, r.locked_until, r.expires_at, r.created_at, r.updated_at,
       r.claimed_at, r.doubt_since, r.response, r.reason, r.evidence_source,
       r.evidence_detail, r.steps, r.unknown_since, r.tries, r.next_try_at
FROM asked a
CROSS JOIN LATERAL unnest(a.scopes, a.keys, a.holders) WITH ORDINALITY AS q (scope, key, holder, position)
JOIN semel_record r ON r.scope = q.scope AND r.key = q.key
WHERE (SELECT count(*) FROM inserted) < (SELECT cardinality(a.keys) FROM asked a)
  AND q.holder NOT IN (SELECT i.holder FROM inserted i)
