-- Adds the index for searches to a store that was created without it, while others write.

ALTER TABLE semel_record ADD INDEX semel_record_claimed (state, claimed_at, fence), ALGORITHM = INPLACE, LOCK = NONE
