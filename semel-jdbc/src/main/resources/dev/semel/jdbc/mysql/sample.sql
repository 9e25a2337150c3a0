-- Some records, whichever are found first: whether there are any is what matters.

SELECT r.scope, r.`key` FROM semel_record r
LIMIT ?
