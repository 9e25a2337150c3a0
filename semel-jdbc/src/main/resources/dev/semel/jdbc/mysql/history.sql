-- Reads what happened to a record, oldest first. The fence of a claim that was granted is the number of its entry.

SELECT a.number, a.scope, a.`key`, a.at, a.`change`, COALESCE(a.fence, a.number) AS fence,
       a.from_state, a.to_state, a.who, a.why
FROM semel_audit a FORCE INDEX (semel_audit_record)
WHERE a.scope = ? AND a.`key` = ?
ORDER BY a.number
