package dev.semel.observability;

import dev.semel.Scope;

/**
 * Somebody has used keys again for other requests, more often than is accidental.
 *
 * @param operation the one that was asked for last
 * @param count how many such requests came since the last alarm for this scope, or since it was quiet for a whole window
 */
public record KeyMisuse(Scope scope, String operation, long count) {}
