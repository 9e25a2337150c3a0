-- Deletes what happened to records, in the transaction that deletes them.

DELETE a FROM semel_audit a FORCE INDEX (semel_audit_record)
WHERE [[(a.scope = ? AND a.`key` = ?)| OR ]]
