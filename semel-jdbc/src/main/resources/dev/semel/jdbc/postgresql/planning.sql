-- Runs before a statement on the tables, in the same round trip and transaction, and applies to it alone. Plans are made when
-- a session is young, and kept: on a table that is small at that moment the planner would scan or hash all of it, and still
-- do so when it has grown. A wait of a second for a row is a wait for a transaction of the application's, and would block
-- all other calls of the batch.

SELECT set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
       set_config('enable_mergejoin', 'off', true), set_config('plan_cache_mode', 'force_generic_plan', true),
       set_config('jit', 'off', true), set_config('lock_timeout', '1000', true)
