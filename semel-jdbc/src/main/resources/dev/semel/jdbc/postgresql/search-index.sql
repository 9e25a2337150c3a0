-- Adds the index for searches to a store that was created without it, while others write.

CREATE INDEX CONCURRENTLY IF NOT EXISTS semel_record_search ON semel_record ((state || ''), claimed_at, fence)
    WHERE locked_until IS NULL OR (reason IS NOT NULL AND reexecutable)
