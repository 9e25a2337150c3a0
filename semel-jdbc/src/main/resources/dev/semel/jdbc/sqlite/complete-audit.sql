-- Writes the audit of what complete.sql completed, in its transaction. Of the holder, up to the line feed before the outline of
-- the request.

INSERT INTO semel_audit (scope, key, at, change, fence, from_state, to_state, who)
SELECT r.scope, r.key, r.updated_at, 'settled', r.fence, 'in_progress', r.state,
       substr(r.holder, 1, instr(r.holder || char(10), char(10)) - 1)
FROM semel_record r WHERE r.scope = ? AND r.key = ?
