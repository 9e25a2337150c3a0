package dev.semel.server.gateway.settle;

import dev.semel.Identity;
import dev.semel.reconcile.Verdict;

/**
 * What a service says about the outcome of one attempt.
 *
 * @param sent scope and key, as the service knows them
 * @param fence of the attempt, which the service got in {@code Semel-Fence}
 */
public record SettleRequest(Identity sent, long fence, Verdict.Final verdict) {}
