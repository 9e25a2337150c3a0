-- Deletes records past their retention, oldest first, marked ones included; counts them.
--
-- A sub-select around the clock: it is read once, and the index can be used.
-- The highest fence that is deleted is in semel_prune before the deletion commits; claim.sql says why. One deletion at a
-- time, so that none of them lowers it.
-- In a partitioned table another row may have the same place; IS TRUE, so that it does not become a join of all rows with all.

WITH turn AS MATERIALIZED (
    SELECT pg_advisory_xact_lock('semel_prune'::regclass::oid::bigint)
),
request AS MATERIALIZED (
    SELECT ?::integer AS most, clock_timestamp() AS at FROM turn
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
    RETURNING fence
)
SELECT count(*) AS pruned,
       CASE WHEN max(fence) > coalesce(pg_sequence_last_value('semel_prune'), 0)
           THEN setval('semel_prune', max(fence))
       END AS deleted_up_to
FROM deleted
