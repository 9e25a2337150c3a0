-- Undoes claims that were granted in this transaction although their keys have tombstones. A row for each: its position.
--
-- It follows the grant as a statement of its own, in the same round trip: the new row could be written only after a deletion of the
-- old one had committed, and this statement's snapshot, which is newer, shows the tombstone that was committed with it. A
-- snapshot from before the grant may not.

DELETE FROM semel_record r
USING unnest(?::text[], ?::text[], ?::text[], ?::text[]) WITH ORDINALITY AS q (scope, key, holder, digest, position),
      semel_tombstone t
WHERE r.scope = q.scope AND r.key = q.key AND r.holder = q.holder AND t.digest = q.digest::uuid
RETURNING q.position
