-- Takes the next fence above this one, in the transaction that grants it.

UPDATE semel_fence SET last = max(last, ?) + 1 WHERE id = 1 RETURNING last
