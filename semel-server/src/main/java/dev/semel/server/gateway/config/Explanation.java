package dev.semel.server.gateway.config;

import dev.semel.http.RequestView;
import dev.semel.http.RoutePolicy;
import dev.semel.http.SafeMethods;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Says which route a request takes, which ones it does not and why, and what becomes of it. */
public final class Explanation {

    private Explanation() {}

    /**
     * Explains.
     *
     * @param request such as {@code POST /payments}, or {@code POST https://api.example.org/payments}
     * @throws IllegalArgumentException when it is no such text
     */
    public static List<String> of(GatewayConfig config, String request) {
        String[] parts = request.strip().split("\\s+", -1);
        if (parts.length != 2) {
            throw new IllegalArgumentException("'" + request + "' is no request; write 'POST /payments'");
        }
        URI target = URI.create(parts[1]);
        String host = target.getHost() == null ? "" : target.getHost().toLowerCase(Locale.ROOT);
        String path = target.getRawPath() == null || target.getRawPath().isEmpty() ? "/" : target.getRawPath();
        RequestView view =
                RequestView.of(parts[0].toUpperCase(Locale.ROOT), path).build();
        List<String> lines = new ArrayList<>();
        for (RouteConfig route : config.routes()) {
            if (route.webhook() != null && route.webhook().path().equals(view.routingPath())) {
                lines.add("webhook of route " + route.name() + ": not forwarded, signed as "
                        + route.webhook().signing() + ", settles outcomes");
                return lines;
            }
        }
        for (RouteConfig route : config.routes()) {
            String why = whyNot(route, view, host);
            if (why == null) {
                lines.add("route " + route.name() + ": matches");
                lines.add("  service: " + route.upstream());
                addPolicy(lines, config, route, view);
                return lines;
            }
            lines.add("route " + route.name() + ": not this one, " + why);
        }
        lines.add("no route matches: 404");
        return lines;
    }

    private static @Nullable String whyNot(RouteConfig route, RequestView view, String host) {
        if (!route.methods().isEmpty() && !route.methods().contains(view.method())) {
            return "its methods are " + String.join(", ", route.methods());
        }
        if (!route.hosts().isEmpty() && !route.hosts().contains(host)) {
            return "its hosts are " + String.join(", ", route.hosts());
        }
        return route.path().matches(view.routingPath()) ? null : "its path is " + route.path();
    }

    private static void addPolicy(List<String> lines, GatewayConfig config, RouteConfig route, RequestView view) {
        RoutePolicy policy = route.policy();
        if (SafeMethods.contains(view.method())) {
            lines.add("  not protected: " + view.method() + " is safe to repeat by definition");
            return;
        }
        if (policy == null) {
            lines.add("  not protected: the route says so");
            return;
        }
        lines.add("  key: " + Values.name(policy.keyMode()) + ", in " + config.keyHeader());
        lines.add("  scope: " + (route.scope() == null ? config.scope() : route.scope()));
        lines.add("  kept for: " + policy.operation().retention());
        lines.add("  lease: " + policy.operation().lease());
        lines.add("  duplicates: wait " + policy.operation().maxWait() + ", then " + Values.name(policy.inProgress()));
        lines.add("  recorded answers: for " + config.replayCheck()
                + (config.replayCheck() instanceof ReplayCheckConfig.None
                        ? ""
                        : "; others get " + Values.name(policy.refusedReplay())));
        lines.add("  5xx: " + Values.name(policy.operation().failures()));
        lines.add("  longest request: " + policy.maxRequestBody() + " bytes; longest answer kept: "
                + policy.maxRecordedResponse() + " bytes");
        lines.add("  timeouts: connect " + route.timeouts().connect() + ", request "
                + route.timeouts().request() + ", answer "
                + route.timeouts().answer() + ", late answer "
                + route.timeouts().lateAnswer());
        lines.add("  unknown outcomes: "
                + (route.resolver() == null
                        ? "settled by the service or a person"
                        : "looked up with " + route.resolver()));
        if (route.webhook() != null) {
            lines.add("    or settled by events at POST " + route.webhook().path() + ", signed as "
                    + route.webhook().signing());
        }
        lines.add("  store down: " + Values.name(policy.storeDown()));
    }
}
