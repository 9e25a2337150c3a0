-- Writes an entry of the audit, in the transaction of its change.

INSERT INTO semel_audit (scope, key, at, change, fence, from_state, to_state, who, why)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
