package dev.semel.http;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which requests are protected, and how: rules of methods and a path pattern, of which the first that matches decides. A
 * request that matches none is not protected.
 *
 * <pre>{@code
 * Routes.builder()
 *         .unprotected("POST", "/payments/search")
 *         .protect("POST", "/payments/**", RoutePolicy.of(Operation.named("create-payment")).build())
 *         .build();
 * }</pre>
 */
public final class Routes {

    private static final Pattern METHOD = Pattern.compile("[A-Z][A-Z_-]*");

    private final List<Rule> rules;

    private Routes(List<Rule> rules) {
        this.rules = rules;
    }

    private record Rule(
            Set<String> methods, PathPattern path, @Nullable RoutePolicy policy) {

        boolean matches(String method, String routingPath) {
            return (methods.isEmpty() || methods.contains(method)) && path.matches(routingPath);
        }
    }

    public static Builder builder() {
        return new Builder();
    }

    /** The policy of a request, or nothing when it is not protected. */
    public Optional<RoutePolicy> match(RequestView request) {
        if (SafeMethods.contains(request.method())) {
            return Optional.empty();
        }
        for (Rule rule : rules) {
            if (rule.matches(request.method(), request.routingPath())) {
                return Optional.ofNullable(rule.policy());
            }
        }
        return Optional.empty();
    }

    /**
     * The policies that requests may have whose paths are known in part only: each of a rule that matches one of these paths, unless
     * an earlier rule matches all of them.
     *
     * @param paths every path that a request may have
     */
    public List<RoutePolicy> matchSome(String method, PathPattern paths) {
        List<RoutePolicy> found = new ArrayList<>();
        for (Rule rule : SafeMethods.contains(method) ? List.<Rule>of() : rules) {
            if ((rule.methods().isEmpty() || rule.methods().contains(method))
                    && rule.path().meets(paths)) {
                Stream.ofNullable(rule.policy()).forEach(found::add);
                if (rule.path().covers(paths)) {
                    break;
                }
            }
        }
        return found;
    }

    /** A rule as it is published. */
    record Listed(List<String> methods, String path, RoutePolicy policy) {}

    /** The rules that protect, in their order; without methods where a rule is for all that are not safe. */
    List<Listed> listed() {
        return rules.stream()
                .flatMap(rule -> Stream.ofNullable(rule.policy())
                        .map(policy -> new Listed(
                                rule.methods().stream().sorted().toList(),
                                rule.path().toString(),
                                policy)))
                .toList();
    }

    /** Every policy, in the order of the rules. */
    List<RoutePolicy> policies() {
        return rules.stream()
                .flatMap(rule -> Stream.ofNullable(rule.policy()))
                .distinct()
                .toList();
    }

    /** The first policy whose operation has this name. */
    Optional<RoutePolicy> named(String operation) {
        return rules.stream()
                .map(Rule::policy)
                .filter(policy -> policy != null && policy.operation().name().equals(operation))
                .findFirst();
    }

    /** Collects rules, in the order in which they are asked. */
    public static final class Builder {

        private final List<Rule> rules = new ArrayList<>();

        private Builder() {}

        /**
         * Protects requests with any of these methods on these paths.
         *
         * @param methods such as {@code POST}, several separated by commas, or {@code *} for every method that is not safe
         * @param path {@code /payments}, {@code /payments/*} (one segment), {@code /payments/**} (that and all below), or
         *     {@code *} for every path
         * @throws IllegalArgumentException when a method is safe or malformed, or the path is no pattern
         */
        public Builder protect(String methods, String path, RoutePolicy policy) {
            rules.add(new Rule(methodsOf(methods), PathPattern.of(path), policy));
            return this;
        }

        /** Lets requests pass untouched that a later rule would protect. */
        public Builder unprotected(String methods, String path) {
            rules.add(new Rule(methodsOf(methods), PathPattern.of(path), null));
            return this;
        }

        public Routes build() {
            return new Routes(List.copyOf(rules));
        }

        private static Set<String> methodsOf(String text) {
            if (text.strip().equals("*")) {
                return Set.of();
            }
            Collection<String> methods = new TreeSet<>();
            for (String part : text.split(",", -1)) {
                String method = part.strip();
                if (!METHOD.matcher(method).matches()) {
                    throw new IllegalArgumentException(
                            "methods \"" + text + "\": write methods in upper case, separated"
                                    + " by commas, such as \"POST, PATCH\", or \"*\" for every method that is not safe");
                }
                if (SafeMethods.contains(method)) {
                    throw new IllegalArgumentException("methods \"" + text.toUpperCase(Locale.ROOT) + "\": " + method
                            + " is safe to repeat by definition and always passes untouched");
                }
                methods.add(method);
            }
            return Set.copyOf(methods);
        }
    }
}
