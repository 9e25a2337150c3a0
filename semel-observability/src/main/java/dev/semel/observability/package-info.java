/**
 * Metrics, traces, and an alarm for misused keys.
 *
 * <p>{@link dev.semel.observability.SemelMetrics} and {@link dev.semel.observability.UnknownGauges} need Micrometer,
 * {@link dev.semel.observability.SemelTracing} needs OpenTelemetry's API, and
 * {@link dev.semel.observability.KeyMisuseAlarm} neither.
 */
@NullMarked
package dev.semel.observability;

import org.jspecify.annotations.NullMarked;
