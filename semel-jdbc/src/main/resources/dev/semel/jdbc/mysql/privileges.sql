-- Changes nothing, and needs every privilege of a store: a user who lacks one gets the error at the start.

SELECT 1 FROM semel_schema WHERE 1 = 0;
INSERT INTO semel_record (scope, `key`, operation, fingerprint, state, fence, attempts, reexecutable, holder, created_at,
                          updated_at, claimed_at)
SELECT scope, `key`, operation, fingerprint, state, fence, attempts, reexecutable, holder, created_at, updated_at, claimed_at
FROM semel_record WHERE 1 = 0;
UPDATE semel_record SET tries = tries WHERE 1 = 0;
DELETE FROM semel_record WHERE 1 = 0;
INSERT INTO semel_audit SELECT * FROM semel_audit WHERE 1 = 0;
DELETE FROM semel_audit WHERE 1 = 0;
