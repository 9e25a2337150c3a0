-- Deletes records past their retention, oldest first, marked ones included, with their audit; counts them.
--
-- A sub-select around the clock: it is read once, and the index can be used.
-- The deletion is counted in semel_prune before it commits; claim.sql says why.

WITH request AS MATERIALIZED (
    SELECT ?::integer AS most, clock_timestamp() AS at
),
unmarked AS MATERIALIZED (
    SELECT r.ctid AS place, r.expires_at
    FROM semel_record r
    WHERE r.expires_at IS NOT NULL AND r.state <> 'expired' AND r.expires_at <= (SELECT q.at FROM request q)
    ORDER BY r.expires_at
    LIMIT (SELECT q.most FROM request q)
    FOR UPDATE SKIP LOCKED
),
marked AS MATERIALIZED (
    SELECT r.ctid AS place, r.expires_at
    FROM semel_record r
    WHERE r.state = 'expired' AND r.expires_at <= (SELECT q.at FROM request q)
    ORDER BY r.expires_at
    LIMIT (SELECT q.most FROM request q)
    FOR UPDATE SKIP LOCKED
),
due AS MATERIALIZED (
    SELECT place
    FROM (TABLE unmarked UNION ALL TABLE marked) AS candidate
    ORDER BY expires_at
    LIMIT (SELECT q.most FROM request q)
),
deleted AS (
    DELETE FROM semel_record WHERE ctid = ANY (ARRAY(SELECT place FROM due)) RETURNING scope, key
),
forgotten AS (
    DELETE FROM semel_audit a USING deleted d WHERE a.scope = d.scope AND a.key = d.key
)
SELECT count(*) AS pruned, CASE WHEN count(*) > 0 THEN nextval('semel_prune') END AS deletions
FROM deleted
