-- Marks records past their retention as expired, oldest first, and drops their responses and steps; counts them.
--
-- A sub-select around the clock: it is read once, and the index can be used.

WITH request AS MATERIALIZED (
    SELECT ?::integer AS most, clock_timestamp() AS at
),
due AS MATERIALIZED (
    SELECT r.ctid AS place, r.scope, r.key, r.state
    FROM semel_record r
    WHERE r.expires_at IS NOT NULL AND r.state <> 'expired' AND r.expires_at <= (SELECT q.at FROM request q)
    ORDER BY r.expires_at
    LIMIT (SELECT q.most FROM request q)
    FOR UPDATE SKIP LOCKED
),
marked AS (
    UPDATE semel_record
    SET state = 'expired', response = NULL, steps = NULL, updated_at = (SELECT q.at FROM request q)
    WHERE ctid = ANY (ARRAY(SELECT place FROM due))
    RETURNING scope, key, updated_at, fence, state
),
audited AS (
    INSERT INTO semel_audit (scope, key, at, change, fence, from_state, to_state, who)
    SELECT m.scope, m.key, m.updated_at, 'expired', m.fence, d.state, m.state, 'pruning'
    FROM marked m JOIN due d ON d.scope = m.scope AND d.key = m.key
)
SELECT count(*) AS pruned FROM marked
