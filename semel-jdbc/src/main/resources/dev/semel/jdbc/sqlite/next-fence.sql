-- Takes so many fences above this one, in the transaction that grants them; the last of them.

UPDATE semel_fence SET last = max(last, ?) + ? WHERE id = 1 RETURNING last
