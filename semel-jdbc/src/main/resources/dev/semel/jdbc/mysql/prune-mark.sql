-- Marks records that prune-find.sql has locked as expired, and drops their responses and steps.

UPDATE semel_record r FORCE INDEX (PRIMARY)
SET r.state = 'expired', r.response = NULL, r.steps = NULL, r.updated_at = ?
WHERE [[(r.scope = ? AND r.`key` = ?)| OR ]]
