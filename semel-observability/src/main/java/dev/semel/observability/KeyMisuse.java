package dev.semel.observability;

import dev.semel.Scope;

/**
 * An alarm: the clients of a scope have reused keys for different requests more often than the threshold allows.
 *
 * @param operation the operation of the last such request
 * @param count the number of such requests since the last alarm for this scope, or since a whole window without any
 */
public record KeyMisuse(Scope scope, String operation, long count) {}
