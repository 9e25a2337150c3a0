-- Grants claims of keys that have no record, many at once. A row for each that was granted: its holder, the fence and the
-- moment; the request says the rest. No row: there is a record. It comes after find.sql, which tells of it, in the same round
-- trip and transaction; if that did not either, somebody else was faster, and the claim is asked again.
--
-- Requests come in the order of their identities, and rows are written in that order, so that no two batches wait for each
-- other. Where every key has a record, nothing is written or locked and neither a fence nor a transaction id is taken. What
-- is written is Changes.granted, with its entry in the audit.

WITH request AS MATERIALIZED (
    SELECT q.scope, q.key, q.operation, q.fingerprint, q.lease * interval '1 microsecond' AS lease,
           q.reexecutable, q.holder, nextval('semel_fence') AS fence, clock_timestamp() AS at
    FROM unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::bigint[], ?::boolean[], ?::text[])
         AS q (scope, key, operation, fingerprint, lease, reexecutable, holder)
    WHERE NOT EXISTS (SELECT FROM semel_record r WHERE r.scope = q.scope AND r.key = q.key)
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

SELECT i.holder, i.fence, i.at
FROM sound s CROSS JOIN inserted i
WHERE s.yes = 1
