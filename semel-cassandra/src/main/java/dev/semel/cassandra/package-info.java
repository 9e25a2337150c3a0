/**
 * A store of records in Apache Cassandra.
 *
 * <p>Start with {@link dev.semel.cassandra.CassandraStore#open}; {@link dev.semel.cassandra.CassandraUri} is the address and the
 * options of a store, {@link dev.semel.cassandra.CassandraSchema} the table that it needs. {@code dev.semel.cassandra.table} is
 * internal.
 */
@NullMarked
package dev.semel.cassandra;

import org.jspecify.annotations.NullMarked;
