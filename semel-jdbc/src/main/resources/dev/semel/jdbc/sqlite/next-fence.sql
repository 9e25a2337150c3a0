-- Takes the next fence, in the transaction that grants it.

UPDATE semel_fence SET last = last + 1 WHERE id = 1 RETURNING last
