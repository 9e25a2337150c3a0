-- Deletes records past their retention, oldest first, marked ones included; counts them. What prune-delete.sql does, and with
-- it, in the same statement, the time of the deletion (semel_deleted) and, where wanted, tombstones. Records that a person has
-- let expire leave none.
--
-- A sub-select around the clock: it is read once, and the index can be used.
-- The highest fence that is deleted is in semel_prune before the deletion commits; claim.sql says why. One deletion at a
-- time, so that none of them lowers it.
-- In a partitioned table another row may have the same place; IS TRUE, so that it does not become a join of all rows with all.

WITH turn AS MATERIALIZED (
    SELECT pg_advisory_xact_lock('semel_prune'::regclass::oid::bigint)
),
request AS MATERIALIZED (
    SELECT ?::integer AS most, ?::boolean AS buries, clock_timestamp() AS at FROM turn
),
unmarked AS MATERIALIZED (
    SELECT r.tableoid AS part, r.ctid AS place, r.expires_at
    FROM semel_record r
    WHERE r.expires_at IS NOT NULL AND r.state <> 'expired' AND r.expires_at <= (SELECT q.at FROM request q)
    ORDER BY r.expires_at
    LIMIT (SELECT q.most FROM request q)
    FOR UPDATE SKIP LOCKED
),
marked AS MATERIALIZED (
    SELECT r.tableoid AS part, r.ctid AS place, r.expires_at
    FROM semel_record r
    WHERE r.state = 'expired' AND r.expires_at <= (SELECT q.at FROM request q)
    ORDER BY r.expires_at
    LIMIT (SELECT q.most FROM request q)
    FOR UPDATE SKIP LOCKED
),
due AS MATERIALIZED (
    SELECT part, place
    FROM (TABLE unmarked UNION ALL TABLE marked) AS candidate
    ORDER BY expires_at
    LIMIT (SELECT q.most FROM request q)
),
deleted AS (
    DELETE FROM semel_record
    WHERE ctid = ANY (ARRAY(SELECT place FROM due)) AND ((tableoid, ctid) IN (SELECT part, place FROM due)) IS TRUE
    RETURNING fence, scope, key, operation, state, reason
),
buried AS (
    INSERT INTO semel_tombstone AS t (deleted_at, digest, operation, state)
    SELECT q.at,
           encode(substring(sha256(int4send(octet_length(convert_to(d.scope, 'UTF8')))
                                   || convert_to(d.scope, 'UTF8') || convert_to(d.key, 'UTF8')) FOR 16), 'hex')::uuid,
           d.operation, d.state
    FROM deleted d CROSS JOIN request q
    WHERE q.buries AND d.reason IS DISTINCT FROM 'forgotten'
    ON CONFLICT (digest) DO UPDATE SET
        deleted_at = greatest(t.deleted_at, excluded.deleted_at), operation = excluded.operation, state = excluded.state
)
SELECT count(*) AS pruned,
       CASE WHEN max(fence) > coalesce(pg_sequence_last_value('semel_prune'), 0)
           THEN setval('semel_prune', max(fence))
       END AS deleted_up_to,
       CASE WHEN count(*) > 0
             AND (SELECT floor(extract(epoch FROM q.at) * 1000000)::bigint FROM request q)
                 > coalesce(pg_sequence_last_value('semel_deleted'), 0)
           THEN setval('semel_deleted', (SELECT floor(extract(epoch FROM q.at) * 1000000)::bigint FROM request q))
       END AS deleted_at
FROM deleted
