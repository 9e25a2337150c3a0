-- The settings of a server on which the safety of records depends, as this session has it.

SHOW VARIABLES WHERE Variable_name IN (
    'version', 'version_comment', 'read_only', 'super_read_only', 'innodb_read_only', 'tx_read_only',
    'transaction_read_only', 'innodb_flush_log_at_trx_commit', 'innodb_doublewrite', 'innodb_flush_method',
    'debug_no_sync', 'log_bin', 'sync_binlog', 'wsrep_on', 'auto_increment_increment', 'max_allowed_packet')
