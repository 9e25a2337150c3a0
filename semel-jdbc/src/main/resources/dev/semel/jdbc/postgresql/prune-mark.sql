-- Marks records past their retention as expired, oldest first, and drops their responses and steps; counts them.
--
-- A sub-select around the clock: it is read once, and the index can be used.
-- In a partitioned table another row may have the same place; IS TRUE, so that it does not become a join of all rows with all.

WITH request AS MATERIALIZED (
    SELECT ?::integer AS most, clock_timestamp() AS at
),
due AS MATERIALIZED (
    SELECT r.tableoid AS part, r.ctid AS place
    FROM semel_record r
    WHERE r.expires_at IS NOT NULL AND r.state <> 'expired' AND r.expires_at <= (SELECT q.at FROM request q)
    ORDER BY r.expires_at
    LIMIT (SELECT q.most FROM request q)
    FOR UPDATE SKIP LOCKED
),
marked AS (
    UPDATE semel_record r
    SET state = 'expired', response = NULL, steps = NULL, updated_at = q.at,
        audit = semel_history(r) || ROW(q.at, 'expired', r.fence, r.state, 'expired', 'pruning', NULL)::semel_entry
    FROM request q
    WHERE r.ctid = ANY (ARRAY(SELECT d.place FROM due d))
      AND ((r.tableoid, r.ctid) IN (SELECT d.part, d.place FROM due d)) IS TRUE
    RETURNING r.fence
)
SELECT count(*) AS pruned FROM marked
