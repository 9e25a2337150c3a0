-- Tells of a change, in the transaction that makes it.

INSERT INTO semel_audit (scope, key, at, change, fence, from_state, to_state, who, why)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
