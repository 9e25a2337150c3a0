-- The scope that comes after this one; null when there is none. The primary key begins with the scope: this is one look into it.

SELECT MIN(r.scope) AS scope FROM semel_record r FORCE INDEX (PRIMARY) WHERE r.scope > ?
