-- Locks records in the order given, for the rest of the transaction, whether they exist or not.
--
-- Where there is none, a row with the fence zero is its placeholder: it is written over or deleted before the transaction
-- commits, and no other transaction ever sees it. A SELECT … FOR UPDATE would lock nothing there, or at REPEATABLE READ the gap
-- between the neighbours, which two transactions can have at once and neither can then insert into. This takes the one row
-- and no gap. The row that exists is "updated" to what it was, which writes nothing.

INSERT INTO semel_record (
    scope, `key`, operation, fingerprint, state, fence, attempts, reexecutable, holder, locked_until,
    created_at, updated_at, claimed_at)
VALUES [[(?, ?, '', '', 'in_progress', 0, 0, 0, '', 0, 0, 0, 0)|, ]]
ON DUPLICATE KEY UPDATE fence = semel_record.fence
