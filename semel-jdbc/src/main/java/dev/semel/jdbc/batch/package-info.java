/**
 * Group commit: calls that arrive while the database is busy share the next statement and commit.
 *
 * <p>{@link dev.semel.jdbc.batch.Batcher} is the algorithm; a store gives it a function that answers a batch.
 */
@NullMarked
package dev.semel.jdbc.batch;

import org.jspecify.annotations.NullMarked;
