-- Looks a key up for a claim: a row where there is a record. Of a record that was completed without doubt or evidence it has all, as
-- almost every record ends; of others its first column is null, and find.sql reads them. The driver fetches name, type and value of
-- every column by native calls of their own: so numbers and what has no spaces are one text, and the operation is the rest of it.
-- clock.sql takes the place of the parameter that has a name.

SELECT CASE
           WHEN r.state = 'completed' AND r.expires_at IS NOT NULL AND r.locked_until IS NULL AND r.doubt_since IS NULL
                AND r.unknown_since IS NULL AND r.reason IS NULL AND r.evidence_source IS NULL AND r.steps IS NULL
           THEN :clock || ' ' || r.created_at || ' ' || r.updated_at || ' ' || r.claimed_at || ' ' || r.expires_at
                || ' ' || r.fence || ' ' || r.attempts || ' ' || r.reexecutable || ' ' || r.fingerprint || ' ' || r.operation
       END,
       r.holder,
       r.response
FROM semel_record r WHERE r.scope = ? AND r.key = ?
