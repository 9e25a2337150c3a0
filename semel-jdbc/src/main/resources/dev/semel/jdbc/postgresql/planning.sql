-- Comes before a statement on the tables, in the same round trip and transaction, and holds for it alone. Plans are made when
-- a session is young and kept: on a table that is small at that moment the planner would scan or hash all of it, and go on
-- doing so while it grows. Whoever waits a second for a row waits for a transaction of the application's, and would
-- keep all others of the batch waiting.

SELECT set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
       set_config('enable_mergejoin', 'off', true), set_config('plan_cache_mode', 'force_generic_plan', true),
       set_config('jit', 'off', true), set_config('lock_timeout', '1000', true)
