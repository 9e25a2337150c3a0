-- Tells of changes, in the transaction that makes them. The entries get consecutive numbers, as rows of one statement do.

INSERT INTO semel_audit (scope, `key`, at, `change`, fence, from_state, to_state, who, why)
VALUES [[(?, ?, ?, ?, ?, ?, ?, ?, ?)|, ]]
