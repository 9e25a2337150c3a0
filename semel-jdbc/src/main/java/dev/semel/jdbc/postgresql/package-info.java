/**
 * The store on PostgreSQL.
 *
 * <p>{@link dev.semel.jdbc.postgresql.PostgresStore} is the algorithm. Its statements are {@code .sql} files next to this
 * package, one for each verb; a claim has three.
 */
@NullMarked
package dev.semel.jdbc.postgresql;

import org.jspecify.annotations.NullMarked;
