/**
 * Stores on relational databases: PostgreSQL, MySQL and MariaDB for services of many processes, SQLite for
 * one machine.
 *
 * <p>{@link dev.semel.jdbc.Stores#open} opens any of them from a URI. The statements of a store are {@code .sql} files
 * next to this package; {@link dev.semel.jdbc.JdbcSchema} prints the tables.
 */
@NullMarked
package dev.semel.jdbc;

import org.jspecify.annotations.NullMarked;
