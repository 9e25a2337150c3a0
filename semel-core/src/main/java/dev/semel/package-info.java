/**
 * The API: what an application needs to make an operation safe to retry.
 *
 * <p>Start with {@link dev.semel.Semel}.
 */
@NullMarked
package dev.semel;

import org.jspecify.annotations.NullMarked;
