/**
 * Opens stores on relational databases: PostgreSQL, MySQL and MariaDB for services of many processes, SQLite for one machine.
 *
 * <p>{@link dev.semel.jdbc.Stores#open} opens any of them from a URI; {@link dev.semel.jdbc.JdbcSchema} prints the tables. Each
 * database has a package of its own.
 */
@NullMarked
package dev.semel.jdbc;

import org.jspecify.annotations.NullMarked;
