-- Writes entries of the audit, in the transaction of their changes. The entries get consecutive numbers, as rows of one statement do.

INSERT INTO semel_audit (scope, `key`, at, `change`, fence, from_state, to_state, who, why)
VALUES [[(?, ?, ?, ?, ?, ?, ?, ?, ?)|, ]]
