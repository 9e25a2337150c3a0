-- The settings of a server on which the safety of records depends.

SELECT current_setting('server_version_num')::integer AS version,
       pg_is_in_recovery() AS in_recovery,
       current_setting('transaction_read_only')::boolean AS read_only,
       current_setting('server_encoding') AS encoding,
       current_setting('fsync') AS fsync,
       current_setting('full_page_writes') AS full_page_writes,
       current_setting('synchronous_commit') AS synchronous_commit
