-- What is missing or different in the schema, in words; no rows when it fits.

WITH expected (table_name, name, type) AS (VALUES
    ('semel_schema', 'version', 'INTEGER'),
    ('semel_fence', 'id', 'INTEGER'),
    ('semel_fence', 'last', 'INTEGER'),
    ('semel_record', 'scope', 'TEXT'),
    ('semel_record', 'key', 'TEXT'),
    ('semel_record', 'operation', 'TEXT'),
    ('semel_record', 'fingerprint', 'TEXT'),
    ('semel_record', 'state', 'TEXT'),
    ('semel_record', 'fence', 'INTEGER'),
    ('semel_record', 'attempts', 'INTEGER'),
    ('semel_record', 'reexecutable', 'INTEGER'),
    ('semel_record', 'holder', 'TEXT'),
    ('semel_record', 'locked_until', 'INTEGER'),
    ('semel_record', 'expires_at', 'INTEGER'),
    ('semel_record', 'created_at', 'INTEGER'),
    ('semel_record', 'updated_at', 'INTEGER'),
    ('semel_record', 'claimed_at', 'INTEGER'),
    ('semel_record', 'doubt_since', 'INTEGER'),
    ('semel_record', 'response', 'BLOB'),
    ('semel_record', 'reason', 'TEXT'),
    ('semel_record', 'evidence_source', 'TEXT'),
    ('semel_record', 'evidence_detail', 'TEXT'),
    ('semel_record', 'steps', 'BLOB'),
    ('semel_record', 'unknown_since', 'INTEGER'),
    ('semel_record', 'tries', 'INTEGER'),
    ('semel_record', 'next_try_at', 'INTEGER'),
    ('semel_audit', 'number', 'INTEGER'),
    ('semel_audit', 'scope', 'TEXT'),
    ('semel_audit', 'key', 'TEXT'),
    ('semel_audit', 'at', 'INTEGER'),
    ('semel_audit', 'change', 'TEXT'),
    ('semel_audit', 'fence', 'INTEGER'),
    ('semel_audit', 'from_state', 'TEXT'),
    ('semel_audit', 'to_state', 'TEXT'),
    ('semel_audit', 'who', 'TEXT'),
    ('semel_audit', 'why', 'TEXT')
)

SELECT 'table ' || e.table_name || ' is missing' AS defect
FROM (SELECT DISTINCT table_name FROM expected) AS e
WHERE NOT EXISTS (SELECT 1 FROM sqlite_master m WHERE m.type = 'table' AND m.name = e.table_name)
UNION ALL
SELECT 'column ' || e.table_name || '.' || e.name
       || coalesce(' is ' || a.type || ' instead of ' || e.type, ' is missing')
FROM expected e
LEFT JOIN pragma_table_info(e.table_name) a ON a.name = e.name
WHERE a.type IS NOT e.type
  AND EXISTS (SELECT 1 FROM sqlite_master m WHERE m.type = 'table' AND m.name = e.table_name)
UNION ALL
SELECT 'the primary key (scope, key) of semel_record is missing'
WHERE EXISTS (SELECT 1 FROM sqlite_master m WHERE m.type = 'table' AND m.name = 'semel_record')
  AND (SELECT group_concat(p.name) FROM (SELECT name FROM pragma_table_info('semel_record') WHERE pk > 0 ORDER BY name) p)
      IS NOT 'key,scope'
