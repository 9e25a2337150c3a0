-- Marks records past their retention as expired, oldest first, and drops their responses; counts them.
--
-- A sub-select around the clock: it is read once, and the index can be used.

WITH request AS MATERIALIZED (
    SELECT ?::integer AS most, clock_timestamp() AS at
),
due AS MATERIALIZED (
    SELECT r.ctid AS place
    FROM semel_record r
    WHERE r.expires_at IS NOT NULL AND r.state <> 'expired' AND r.expires_at <= (SELECT q.at FROM request q)
    ORDER BY r.expires_at
    LIMIT (SELECT q.most FROM request q)
    FOR UPDATE SKIP LOCKED
),
marked AS (
    UPDATE semel_record
    SET state = 'expired', response = NULL, updated_at = (SELECT q.at FROM request q)
    WHERE ctid = ANY (ARRAY(SELECT place FROM due))
    RETURNING fence
)
SELECT count(*) AS pruned FROM marked
