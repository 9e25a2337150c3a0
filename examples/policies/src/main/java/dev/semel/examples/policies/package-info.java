/**
 * One small example for each key strategy and each policy.
 *
 * <p>Most of them are an entry in {@code application.yaml} and no code at all: {@link
 * dev.semel.examples.policies.AnyOrder} answers their requests. The others have a file each.
 */
@NullMarked
package dev.semel.examples.policies;

import org.jspecify.annotations.NullMarked;
