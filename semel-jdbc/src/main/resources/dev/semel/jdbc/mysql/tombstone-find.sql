-- Which of these records have left a tombstone.

SELECT t.digest FROM semel_tombstone t FORCE INDEX (PRIMARY) WHERE t.digest IN ([[?|, ]])
