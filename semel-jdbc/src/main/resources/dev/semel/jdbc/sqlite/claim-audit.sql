-- Writes the audit of a claim that claim.sql granted, in its transaction.

INSERT INTO semel_audit (scope, key, at, change, fence, to_state, who)
VALUES (?, ?, ?, 'granted', ?, 'in_progress', ?)
