/**
 * What stores share that keep a record as one item and change it by conditional writes: those in DynamoDB and in Cassandra.
 *
 * <p>For authors of such a store: {@link dev.semel.items.ItemStore} has the verbs, and asks an {@link dev.semel.items.ItemTable}
 * for items and an {@link dev.semel.items.ItemIndex} for candidates.
 */
@NullMarked
package dev.semel.items;

import org.jspecify.annotations.NullMarked;
