/**
 * The transport for gRPC: unary calls that are safe to retry.
 *
 * <p>{@link dev.semel.grpc.SemelServerInterceptor} decides by the head of a call, claims when its request is complete, and holds
 * the response until the record is settled.
 */
@NullMarked
package dev.semel.grpc;

import org.jspecify.annotations.NullMarked;
