-- What is missing or different in the schema, in words; no rows when it fits.
--
-- The two servers print widths of numbers differently, so that only those of bytes are compared.

WITH expected (table_name, name, type) AS (
    SELECT 'semel_schema', 'version', 'int'
    UNION ALL SELECT 'semel_record', 'scope', 'varbinary(765)'
    UNION ALL SELECT 'semel_record', 'key', 'varbinary(765)'
    UNION ALL SELECT 'semel_record', 'operation', 'varbinary(1000)'
    UNION ALL SELECT 'semel_record', 'fingerprint', 'varbinary(255)'
    UNION ALL SELECT 'semel_record', 'state', 'varbinary(20)'
    UNION ALL SELECT 'semel_record', 'fence', 'bigint'
    UNION ALL SELECT 'semel_record', 'attempts', 'int'
    UNION ALL SELECT 'semel_record', 'reexecutable', 'tinyint'
    UNION ALL SELECT 'semel_record', 'holder', 'varbinary(1000)'
    UNION ALL SELECT 'semel_record', 'locked_until', 'bigint'
    UNION ALL SELECT 'semel_record', 'expires_at', 'bigint'
    UNION ALL SELECT 'semel_record', 'created_at', 'bigint'
    UNION ALL SELECT 'semel_record', 'updated_at', 'bigint'
    UNION ALL SELECT 'semel_record', 'claimed_at', 'bigint'
    UNION ALL SELECT 'semel_record', 'doubt_since', 'bigint'
    UNION ALL SELECT 'semel_record', 'response', 'longblob'
    UNION ALL SELECT 'semel_record', 'reason', 'mediumblob'
    UNION ALL SELECT 'semel_record', 'evidence_source', 'mediumblob'
    UNION ALL SELECT 'semel_record', 'evidence_detail', 'mediumblob'
    UNION ALL SELECT 'semel_record', 'steps', 'longblob'
    UNION ALL SELECT 'semel_record', 'unknown_since', 'bigint'
    UNION ALL SELECT 'semel_record', 'tries', 'int'
    UNION ALL SELECT 'semel_record', 'next_try_at', 'bigint'
    UNION ALL SELECT 'semel_record', 'queue', 'varbinary(1004)'
    UNION ALL SELECT 'semel_record', 'queue_at', 'bigint'
    UNION ALL SELECT 'semel_record', 'is_unknown', 'tinyint'
    UNION ALL SELECT 'semel_audit', 'number', 'bigint'
    UNION ALL SELECT 'semel_audit', 'scope', 'varbinary(765)'
    UNION ALL SELECT 'semel_audit', 'key', 'varbinary(765)'
    UNION ALL SELECT 'semel_audit', 'at', 'bigint'
    UNION ALL SELECT 'semel_audit', 'change', 'varbinary(20)'
    UNION ALL SELECT 'semel_audit', 'fence', 'bigint'
    UNION ALL SELECT 'semel_audit', 'from_state', 'varbinary(20)'
    UNION ALL SELECT 'semel_audit', 'to_state', 'varbinary(20)'
    UNION ALL SELECT 'semel_audit', 'who', 'mediumblob'
    UNION ALL SELECT 'semel_audit', 'why', 'mediumblob'
),
actual (table_name, name, type) AS (
    SELECT c.table_name, c.column_name,
           CONCAT(c.data_type, CASE WHEN c.data_type = 'varbinary' THEN CONCAT('(', c.character_maximum_length, ')') ELSE '' END)
    FROM information_schema.columns c
    WHERE c.table_schema = DATABASE()
),
present (table_name, engine) AS (
    SELECT t.table_name, t.engine FROM information_schema.tables t WHERE t.table_schema = DATABASE()
)

SELECT CONCAT('table ', e.table_name, ' is missing') AS defect
FROM (SELECT DISTINCT table_name FROM expected) AS e
LEFT JOIN present p ON p.table_name = e.table_name
WHERE p.table_name IS NULL
UNION ALL
SELECT CONCAT('table ', p.table_name, ' is in ', COALESCE(p.engine, 'no engine'), ' instead of InnoDB, and may lose rows')
FROM present p
WHERE p.table_name IN ('semel_schema', 'semel_record', 'semel_audit') AND NOT (p.engine <=> 'InnoDB')
UNION ALL
SELECT CONCAT('column ', e.table_name, '.', e.name,
              COALESCE(CONCAT(' is ', a.type, ' instead of ', e.type), ' is missing'))
FROM expected e
JOIN present p ON p.table_name = e.table_name
LEFT JOIN actual a ON a.table_name = e.table_name AND a.name = e.name
WHERE NOT (a.type <=> e.type)
UNION ALL
SELECT 'the primary key (scope, key) of semel_record is missing'
FROM present p
WHERE p.table_name = 'semel_record'
  AND NOT ((SELECT GROUP_CONCAT(s.column_name ORDER BY s.seq_in_index) FROM information_schema.statistics s
            WHERE s.table_schema = DATABASE() AND s.table_name = 'semel_record' AND s.index_name = 'PRIMARY')
           <=> 'scope,key')
UNION ALL
SELECT CONCAT('index ', i.name, ' of ', i.table_name, ' is missing')
FROM (SELECT 'semel_record' AS table_name, 'semel_record_queue' AS name
      UNION ALL SELECT 'semel_record', 'semel_record_unknown'
      UNION ALL SELECT 'semel_audit', 'semel_audit_record') AS i
JOIN present p ON p.table_name = i.table_name
WHERE NOT EXISTS (
    SELECT 1 FROM information_schema.statistics s
    WHERE s.table_schema = DATABASE() AND s.table_name = i.table_name AND s.index_name = i.name)
UNION ALL
SELECT 'semel_record has another unique index than its primary key, which would lock more than a record'
FROM present p
WHERE p.table_name = 'semel_record'
  AND EXISTS (SELECT 1 FROM information_schema.statistics s
              WHERE s.table_schema = DATABASE() AND s.table_name = 'semel_record'
                AND s.non_unique = 0 AND s.index_name <> 'PRIMARY')
UNION ALL
SELECT 'semel_audit.number must be AUTO_INCREMENT'
FROM present p
WHERE p.table_name = 'semel_audit'
  AND NOT EXISTS (SELECT 1 FROM information_schema.columns c
                  WHERE c.table_schema = DATABASE() AND c.table_name = 'semel_audit' AND c.column_name = 'number'
                    AND c.extra LIKE '%auto_increment%')
