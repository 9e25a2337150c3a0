package dev.semel.spring;

import dev.semel.http.RoutePolicy;

/**
 * Requests that are protected, and how.
 *
 * @param where the property or method that says so
 */
public record ProtectedRoute(String where, RequestPattern pattern, RoutePolicy policy) {}
