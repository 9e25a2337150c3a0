-- Whether what late retries and tombstones need is there, and this user may use it.

SELECT coalesce(
    has_table_privilege(to_regclass('semel_tombstone'), 'SELECT') AND has_table_privilege(to_regclass('semel_tombstone'), 'INSERT')
    AND has_table_privilege(to_regclass('semel_tombstone'), 'UPDATE') AND has_table_privilege(to_regclass('semel_tombstone'), 'DELETE')
    AND has_sequence_privilege(to_regclass('semel_deleted'), 'USAGE') AND has_sequence_privilege(to_regclass('semel_deleted'), 'UPDATE'),
    false)::text
