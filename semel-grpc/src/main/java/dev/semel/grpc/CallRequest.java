package dev.semel.grpc;

import io.grpc.Metadata;

/**
 * A call as a {@link dev.semel.Intent.ReplayCheck} sees it. The check runs on the call's own thread, with its {@code Context}.
 *
 * @param method its full name, such as {@code shop.Payments/Charge}
 * @param headers the metadata that the client sent
 * @param message the request
 */
public record CallRequest(String method, Metadata headers, Object message) {}
