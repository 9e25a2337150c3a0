-- Takes the write lock for the rest of the transaction, and changes nothing: no counter has this number.

UPDATE semel_fence SET last = last WHERE id = 0
