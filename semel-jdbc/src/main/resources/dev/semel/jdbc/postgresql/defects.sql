-- What is missing or different in the schema, in words; no rows when it fits.

WITH expected_table (name, privileges) AS (VALUES
    ('semel_schema', ARRAY['SELECT']),
    ('semel_record', ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']),
    ('semel_audit', ARRAY['SELECT'])
),
expected_column (table_name, name, type) AS (VALUES
    ('semel_schema', 'version', 'integer'),
    ('semel_record', 'scope', 'text COLLATE C'),
    ('semel_record', 'key', 'text COLLATE C'),
    ('semel_record', 'operation', 'text COLLATE C'),
    ('semel_record', 'fingerprint', 'text COLLATE C'),
    ('semel_record', 'state', 'text COLLATE C'),
    ('semel_record', 'fence', 'bigint'),
    ('semel_record', 'attempts', 'integer'),
    ('semel_record', 'reexecutable', 'boolean'),
    ('semel_record', 'holder', 'text COLLATE C'),
    ('semel_record', 'locked_until', 'timestamp with time zone'),
    ('semel_record', 'expires_at', 'timestamp with time zone'),
    ('semel_record', 'created_at', 'timestamp with time zone'),
    ('semel_record', 'updated_at', 'timestamp with time zone'),
    ('semel_record', 'claimed_at', 'timestamp with time zone'),
    ('semel_record', 'doubt_since', 'timestamp with time zone'),
    ('semel_record', 'response', 'bytea'),
    ('semel_record', 'reason', 'text COLLATE C'),
    ('semel_record', 'evidence_source', 'text COLLATE C'),
    ('semel_record', 'evidence_detail', 'text COLLATE C'),
    ('semel_record', 'steps', 'bytea'),
    ('semel_record', 'unknown_since', 'timestamp with time zone'),
    ('semel_record', 'tries', 'integer'),
    ('semel_record', 'next_try_at', 'timestamp with time zone'),
    ('semel_record', 'audit', 'semel_entry[]'),
    ('semel_audit', 'scope', 'text COLLATE C'),
    ('semel_audit', 'key', 'text COLLATE C'),
    ('semel_audit', 'number', 'bigint'),
    ('semel_audit', 'at', 'timestamp with time zone'),
    ('semel_audit', 'change', 'text COLLATE C'),
    ('semel_audit', 'fence', 'bigint'),
    ('semel_audit', 'from_state', 'text COLLATE C'),
    ('semel_audit', 'to_state', 'text COLLATE C'),
    ('semel_audit', 'who', 'text COLLATE C'),
    ('semel_audit', 'why', 'text COLLATE C')
),
actual_column AS (
    SELECT t.name AS table_name, a.attname AS name,
           format_type(a.atttypid, a.atttypmod) || coalesce(' COLLATE ' || c.collname, '') AS type
    FROM expected_table t
    JOIN pg_attribute a ON a.attrelid = to_regclass(t.name) AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_collation c ON c.oid = a.attcollation
),
expected_sequence (name, privileges) AS (VALUES
    ('semel_fence', ARRAY['USAGE']),
    ('semel_prune', ARRAY['USAGE', 'UPDATE'])
)

SELECT 'table ' || t.name || ' is missing' AS defect
FROM expected_table t
WHERE to_regclass(t.name) IS NULL
UNION ALL
SELECT 'column ' || e.table_name || '.' || e.name
       || coalesce(' is ' || a.type || ' instead of ' || e.type, ' is missing')
FROM expected_column e
LEFT JOIN actual_column a ON a.table_name = e.table_name AND a.name = e.name
WHERE to_regclass(e.table_name) IS NOT NULL AND a.type IS DISTINCT FROM e.type
UNION ALL
SELECT 'the primary key (scope, key) of semel_record is missing'
WHERE to_regclass('semel_record') IS NOT NULL
  AND NOT EXISTS (
      SELECT FROM pg_constraint c
      WHERE c.conrelid = to_regclass('semel_record') AND c.contype IN ('p', 'u')
        AND (SELECT array_agg(a.attname ORDER BY a.attname) FROM pg_attribute a
             WHERE a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey)) = ARRAY['key', 'scope']::name[])
UNION ALL
SELECT 'function semel_history(semel_record) is missing'
WHERE to_regclass('semel_record') IS NOT NULL AND to_regprocedure('semel_history(semel_record)') IS NULL
UNION ALL
SELECT 'sequence ' || s.name || ' is missing'
FROM expected_sequence s
WHERE to_regclass(s.name) IS NULL
UNION ALL
SELECT 'sequence ' || s.name || ' must have CACHE 1'
FROM expected_sequence s
JOIN pg_sequence p ON p.seqrelid = to_regclass(s.name)
WHERE p.seqcache <> 1
UNION ALL
SELECT 'this user has no ' || p.privilege || ' privilege on ' || t.name
FROM expected_table t CROSS JOIN LATERAL unnest(t.privileges) AS p (privilege)
WHERE NOT has_table_privilege(to_regclass(t.name), p.privilege)
UNION ALL
SELECT 'this user has no ' || p.privilege || ' privilege on ' || s.name
FROM expected_sequence s CROSS JOIN LATERAL unnest(s.privileges) AS p (privilege)
WHERE NOT has_sequence_privilege(to_regclass(s.name), p.privilege)
UNION ALL
SELECT 'this user has no EXECUTE privilege on semel_history'
WHERE NOT has_function_privilege(to_regprocedure('semel_history(semel_record)'), 'EXECUTE')
UNION ALL
SELECT 'table ' || t.name || ' is not logged: a crash of the server would empty it'
FROM expected_table t JOIN pg_class c ON c.oid = to_regclass(t.name)
WHERE c.relpersistence <> 'p' AND c.relkind <> 'v'
UNION ALL
SELECT 'sequence ' || s.name || ' must be logged, rise and not cycle'
FROM expected_sequence s
JOIN pg_class c ON c.oid = to_regclass(s.name)
JOIN pg_sequence p ON p.seqrelid = c.oid
WHERE c.relpersistence <> 'p' OR p.seqincrement <= 0 OR p.seqcycle
