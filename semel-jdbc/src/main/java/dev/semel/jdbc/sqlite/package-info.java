/**
 * The store in a SQLite file, for the processes of one machine.
 *
 * <p>{@link dev.semel.jdbc.sqlite.SqliteStore} is the algorithm. Its statements are {@code .sql} files next to this package.
 */
@NullMarked
package dev.semel.jdbc.sqlite;

import org.jspecify.annotations.NullMarked;
