/**
 * Internal to semel-jdbc: what the packages of the databases share. Applications do not use it, and it changes without notice.
 *
 * <p>{@link dev.semel.jdbc.internal.Verbs} decides on {@link dev.semel.jdbc.internal.Records}, which a database implements;
 * {@link dev.semel.jdbc.internal.RecordRow} and {@link dev.semel.jdbc.internal.Arguments} translate between rows and records.
 */
@NullMarked
package dev.semel.jdbc.internal;

import org.jspecify.annotations.NullMarked;
