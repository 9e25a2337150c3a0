package dev.semel.server.gateway.config;

import dev.semel.Failures;
import dev.semel.Operation;
import dev.semel.Operation.LateRetries;
import dev.semel.http.InProgressAnswer;
import dev.semel.http.PathPattern;
import dev.semel.http.Profile;
import dev.semel.http.RefusedReplay;
import dev.semel.http.RoutePolicy;
import dev.semel.http.RoutePolicyBuilder;
import dev.semel.http.StoreDown;
import dev.semel.http.key.KeyRules;
import dev.semel.http.key.KeyStrategy;
import dev.semel.key.KeyHygiene;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads one route of a configuration file. */
final class RouteReader {

    private static final String FIELD = "field:";

    private final ConfigNode node;
    private final @Nullable UpstreamAddress standard;
    private final boolean explaining;

    /**
     * Begins to read a route.
     *
     * @param standard where requests go when the route does not say; null when the file does not say either
     * @param explaining whether mismatches are explained when the route does not say
     */
    RouteReader(ConfigNode node, @Nullable UpstreamAddress standard, boolean explaining) {
        this.node = node;
        this.standard = standard;
        this.explaining = explaining;
    }

    RouteConfig read() {
        String name = node.text("name")
                .orElseThrow(() -> node.wrong(
                        "name", "a route needs a name, which is that of its operation in records and metrics"));
        UpstreamAddress own = node.value("upstream", UpstreamAddress::parse).orElse(standard);
        if (own == null) {
            throw node.wrong("upstream", "no service is given, neither here nor for all routes; use http://HOST:PORT");
        }
        RouteConfig route = new RouteConfig(
                name,
                methods(),
                Set.copyOf(lowerCase(node.texts("hosts"))),
                node.value("path", PathPattern::of)
                        .orElseThrow(() -> node.wrong("path", "a route needs a path, such as /payments/** or \"*\"")),
                policy(name),
                node.value("scope", ScopeConfig::parse).orElse(null),
                own,
                node.mapping("timeouts").map(RouteReader::timeouts).orElse(RouteConfig.Timeouts.DEFAULT),
                Set.copyOf(node.values("send", text -> Values.constant(RouteConfig.Extra.class, text))));
        RouteConfig whole = node.mapping("resolver")
                .map(resolver -> new ResolverReader(resolver).read(name))
                .map(resolver -> node.understood("resolver", () -> route.resolver(resolver)))
                .orElse(route);
        RouteConfig settled = node.mapping("webhook")
                .map(webhook -> new WebhookReader(webhook).read())
                .map(webhook -> node.understood("webhook", () -> whole.webhook(webhook)))
                .orElse(whole);
        node.requireNoMore();
        return settled;
    }

    private Set<String> methods() {
        Set<String> methods = new TreeSet<>();
        for (String text : node.texts("methods")) {
            for (String method : text.split(",", -1)) {
                if (!method.strip().matches("[A-Z][A-Z_-]*")) {
                    throw node.wrong("methods", "'" + text + "' is no method; use upper case, such as [POST, PATCH]");
                }
                methods.add(method.strip());
            }
        }
        return methods;
    }

    private static List<String> lowerCase(List<String> texts) {
        return texts.stream().map(text -> text.toLowerCase(Locale.ROOT)).toList();
    }

    private static RouteConfig.Timeouts timeouts(ConfigNode node) {
        RouteConfig.Timeouts standard = RouteConfig.Timeouts.DEFAULT;
        RouteConfig.Timeouts timeouts = new RouteConfig.Timeouts(
                node.value("connect", Values::positive).orElse(standard.connect()),
                node.value("request", Values::positive).orElse(standard.request()),
                node.value("answer", Values::positive).orElse(standard.answer()),
                node.value("late-answer", Values::positive).orElse(standard.lateAnswer()),
                node.value("reuse", Values::duration).orElse(standard.reuse()));
        node.requireNoMore();
        return timeouts;
    }

    private @Nullable RoutePolicy policy(String name) {
        String key = node.text("key").orElse("required");
        if (key.equals("none")) {
            return null;
        }
        Operation operation = node.understood("name", () -> operation(name));
        RoutePolicyBuilder policy = RoutePolicy.of(operation);
        node.understood("key", () -> key(policy, key));
        node.value("profile", text -> Values.constant(Profile.class, text)).ifPresent(policy::profile);
        node.text("key-syntax").ifPresent(syntax -> {
            switch (syntax) {
                case "strict" -> policy.strictKeys();
                case "lenient" -> policy.lenientKeys();
                default -> throw node.wrong("key-syntax", "'" + syntax + "' is none of strict, lenient");
            }
        });
        node.mapping("key-rules").map(RouteReader::rules).ifPresent(policy::keyRules);
        node.value("key-hygiene", text -> Values.constant(KeyHygiene.class, text))
                .ifPresent(policy::keyHygiene);
        node.value("in-progress", text -> Values.constant(InProgressAnswer.class, text))
                .ifPresent(policy::inProgress);
        node.value("refused-replay", text -> Values.constant(RefusedReplay.class, text))
                .ifPresent(policy::refusedReplay);
        node.value("store-down", text -> Values.constant(StoreDown.class, text)).ifPresent(policy::storeDown);
        node.understood("mismatch-status", () -> {
            node.value("mismatch-status", Values::status).ifPresent(policy::mismatchStatus);
            return policy;
        });
        policy.explainMismatches(
                node.value("explain-mismatches", Values::yesOrNo).orElse(explaining));
        responses(policy, operation);
        fingerprint(policy);
        limits(policy);
        try {
            return policy.build();
        } catch (IllegalArgumentException e) {
            throw node.wrong(String.valueOf(e.getMessage()));
        }
    }

    private Operation operation(String name) {
        Operation operation = Operation.named(name);
        operation =
                operation.retention(node.value("retention", Values::retention).orElse(operation.retention()));
        operation = operation.lateRetries(node.value("late-retries", text -> Values.constant(LateRetries.class, text))
                .orElse(operation.lateRetries()));
        operation = operation.lease(node.value("lease", Values::positive).orElse(operation.lease()));
        operation = operation.waitUpTo(node.value("wait", Values::duration).orElse(operation.maxWait()));
        return operation.failures(node.value("failures", text -> Values.constant(Failures.class, text))
                .orElse(operation.failures()));
    }

    private static RoutePolicyBuilder key(RoutePolicyBuilder policy, String key) {
        return switch (key) {
            case "required" -> policy.keyRequired();
            case "optional" -> policy.keyOptional();
            case "content" -> policy.keyFromContent();
            default -> {
                if (!key.startsWith(FIELD)) {
                    throw new IllegalArgumentException(
                            "'" + key + "' is none of required, optional, content, field:/order/id, none");
                }
                yield policy.keyDerived(KeyStrategy.fromField(key.substring(FIELD.length())));
            }
        };
    }

    private static KeyRules rules(ConfigNode node) {
        KeyRules none = KeyRules.NONE;
        boolean uuid = node.value("uuid", Values::yesOrNo).orElse(none.uuid());
        int shortest = node.value("min-length", Values::number).orElse(none.minLength());
        int longest = node.value("max-length", Values::number).orElse(none.maxLength());
        node.requireNoMore();
        try {
            return new KeyRules(uuid, shortest, longest);
        } catch (IllegalArgumentException e) {
            throw node.wrong(String.valueOf(e.getMessage()));
        }
    }

    private void responses(RoutePolicyBuilder policy, Operation operation) {
        Set<Integer> unknown = node.has("unknown-on")
                ? Set.copyOf(node.values("unknown-on", Values::status))
                : GatewayConfig.DEFAULT_UNKNOWN_ON;
        List<Integer> notExecuted = node.values("not-executed-on", Values::status);
        Set<Integer> inDoubt = unknown.stream()
                .filter(status -> !notExecuted.contains(status))
                .collect(Collectors.toUnmodifiableSet());
        policy.responseRule(GatewayConfig.responseRule(inDoubt, operation.failures()));
        if (node.has("not-executed-on")) {
            node.understood("not-executed-on", () -> policy.notExecutedOn(notExecuted.toArray(Integer[]::new)));
        }
    }

    private void fingerprint(RoutePolicyBuilder policy) {
        node.mapping("fingerprint").ifPresent(fingerprint -> {
            fingerprint.understood(
                    "headers",
                    () -> policy.fingerprintHeaders(fingerprint.texts("headers").toArray(String[]::new)));
            fingerprint.understood(
                    "fields",
                    () -> policy.semanticFields(fingerprint.texts("fields").toArray(String[]::new)));
            fingerprint.requireNoMore();
        });
    }

    private void limits(RoutePolicyBuilder policy) {
        node.mapping("limits").ifPresent(limits -> {
            limits.understood("request", () -> {
                limits.value("request", Values::size).ifPresent(policy::maxRequestBody);
                return policy;
            });
            limits.understood("kept-answer", () -> {
                limits.value("kept-answer", Values::size).ifPresent(policy::maxRecordedResponse);
                return policy;
            });
            limits.requireNoMore();
        });
    }
}
