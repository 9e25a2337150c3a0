package dev.semel.spring;

import dev.semel.http.RoutePolicy;

/**
 * Protected requests and their policy.
 *
 * @param where the property or method that protects them
 */
public record ProtectedRoute(String where, RequestPattern pattern, RoutePolicy policy) {}
