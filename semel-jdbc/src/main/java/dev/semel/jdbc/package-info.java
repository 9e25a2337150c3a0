/**
 * Stores on relational databases: PostgreSQL for services of many processes, SQLite for one machine.
 *
 * <p>{@link dev.semel.jdbc.Stores#open} opens either from a URI. Each verb of a store is one statement in a {@code .sql}
 * file next to this package; {@link dev.semel.jdbc.JdbcSchema} prints the tables.
 */
@NullMarked
package dev.semel.jdbc;

import org.jspecify.annotations.NullMarked;
