-- What statements on the tables need, in one of two ways: for the session of a connection that is the store's own, set once, or
-- before a statement on a connection of the application's, in the same round trip and for its transaction alone. Plans are
-- made when a session is young, and kept: on a table that is small at that moment the planner would scan or hash all of it,
-- and still do so when it has grown. A wait of a second for a row is a wait for a transaction of the application's, and would
-- block all other calls of the batch.

SELECT set_config('enable_seqscan', 'off', :transaction), set_config('enable_hashjoin', 'off', :transaction),
       set_config('enable_mergejoin', 'off', :transaction), set_config('jit', 'off', :transaction),
       set_config('plan_cache_mode', 'force_generic_plan', :transaction), set_config('lock_timeout', '1000', :transaction)
