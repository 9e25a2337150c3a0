-- Grants a claim of a key that has no record; writes no row where there is one.

INSERT INTO semel_record (
    scope, key, operation, fingerprint, state, fence, attempts, reexecutable, holder,
    locked_until, created_at, updated_at, claimed_at)
VALUES (?1, ?2, ?3, ?4, 'in_progress', ?5, 1, ?6, ?7, ?8, ?9, ?9, ?9)
ON CONFLICT (scope, key) DO NOTHING
