package dev.semel.server.conformance;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One intent, what the server does with its requests, and what the client must do.
 *
 * @param recommended whether a client that fails it conforms all the same
 * @param server one step for each request; the last one also for all that follow
 */
record Scenario(String name, String title, boolean recommended, List<Step> server, Expected client) {

    Step step(int request) {
        return server.get(Math.min(request, server.size() - 1));
    }

    /** What happens to the connection instead of a whole answer. */
    enum Connection {
        KEPT,
        CLOSED,
        CUT,
        SILENT
    }

    /**
     * What the server does with a request.
     *
     * @param problem the members of a problem; empty for a plain body
     * @param retryAfter in seconds; null without
     * @param asDate whether {@code Retry-After} is a date
     */
    record Step(
            Connection connection,
            int status,
            boolean executes,
            Map<String, Object> problem,
            Marks marks,
            @Nullable Integer retryAfter,
            boolean asDate) {}

    /** What headers say about an answer. */
    record Marks(boolean replayed, boolean unprotected) {}

    /**
     * What the client must do.
     *
     * @param leastRequests how many requests it sends
     * @param mostRequests the same, at most
     * @param ends how it may end
     * @param report members that its report must have
     * @param timedKey whether its key must be a UUID of version 7
     */
    record Expected(
            int leastRequests, int mostRequests, Set<String> ends, Map<String, Object> report, boolean timedKey) {}
}
