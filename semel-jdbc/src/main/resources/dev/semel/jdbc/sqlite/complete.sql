-- Completes a record in progress under its fence; writes no row where it has another state or fence. Retention is counted as in
-- Changes.settled.

UPDATE semel_record
SET state = 'completed', response = ?, expires_at = max(?, created_at) + ?, updated_at = ?,
    locked_until = NULL, reason = NULL, steps = NULL
WHERE scope = ? AND key = ? AND fence = ? AND state = 'in_progress'
