-- Lists scopes that come after this one. The primary key begins with the scope: each step is one look into it.

WITH RECURSIVE scopes (scope, number) AS (
    SELECT (SELECT min(r.scope) FROM semel_record r WHERE r.scope > ?1), 1
    UNION ALL
    SELECT (SELECT min(r.scope) FROM semel_record r WHERE r.scope > s.scope), s.number + 1
    FROM scopes s
    WHERE s.scope IS NOT NULL AND s.number < ?2
)
SELECT s.scope FROM scopes s WHERE s.scope IS NOT NULL
