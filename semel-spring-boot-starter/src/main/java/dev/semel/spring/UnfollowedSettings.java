package dev.semel.spring;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/** Refuses an operation's own settings that nothing in the application would follow. */
final class UnfollowedSettings {

    /** Settings that apply to requests, and to no call of a method and no message. */
    private static final Map<String, Function<OperationProperties, @Nullable Object>> OF_REQUESTS =
            new LinkedHashMap<>();

    static {
        OF_REQUESTS.put("key", OperationProperties::key);
        OF_REQUESTS.put("key-user-action", OperationProperties::keyUserAction);
        OF_REQUESTS.put("key-time-window", OperationProperties::keyTimeWindow);
        OF_REQUESTS.put("profile", OperationProperties::profile);
        OF_REQUESTS.put("strict-keys", OperationProperties::strictKeys);
        OF_REQUESTS.put("key-rules", own -> own.keyRules().isEmpty() ? null : own.keyRules());
        OF_REQUESTS.put("key-hygiene", OperationProperties::keyHygiene);
        OF_REQUESTS.put("in-progress", OperationProperties::inProgress);
        OF_REQUESTS.put("response-rule", OperationProperties::responseRule);
        OF_REQUESTS.put("not-executed-on", OperationProperties::notExecutedOn);
        OF_REQUESTS.put("transactional", OperationProperties::transactional);
        OF_REQUESTS.put("semantic-fields", own -> orNull(own.semanticFields()));
        OF_REQUESTS.put("fingerprint-headers", own -> orNull(own.fingerprintHeaders()));
        OF_REQUESTS.put("mismatch-status", OperationProperties::mismatchStatus);
        OF_REQUESTS.put("explain-mismatches", OperationProperties::explainMismatches);
        OF_REQUESTS.put("refused-replay", OperationProperties::refusedReplay);
        OF_REQUESTS.put("store-down", OperationProperties::storeDown);
        OF_REQUESTS.put("max-request-body", OperationProperties::maxRequestBody);
        OF_REQUESTS.put("max-recorded-response", OperationProperties::maxRecordedResponse);
    }

    private final Operations operations;

    UnfollowedSettings(Operations operations) {
        this.operations = operations;
    }

    private static @Nullable Object orNull(List<String> list) {
        return list.isEmpty() ? null : list;
    }

    /**
     * Settings of requests, for an operation without requests.
     *
     * @param routed the operations that requests belong to
     */
    void refuseOfRequests(Set<String> required, Set<String> routed) {
        for (String name : required) {
            if (!routed.contains(name)) {
                OF_REQUESTS.forEach((property, what) -> {
                    Object own = what.apply(operations.propertiesOf(name));
                    if (own != null) {
                        throw refused(name, property, own, requestsOnly(name, property));
                    }
                });
            }
        }
    }

    private static String requestsOnly(String name, String property) {
        return "It applies to requests, and none belongs to the operation " + name
                + ": it has no match, and no controller"
                + " method is @Idempotent for it. "
                + (property.equals("transactional")
                        ? "Leave it out, and put @Transactional on the method."
                        : "Leave it out, or set semel.operations." + name + ".match.");
    }

    /**
     * How often a resolver is asked, for an operation without one.
     *
     * @param resolved the operations that have a resolver
     */
    void refuseOfResolvers(Set<String> required, Set<String> resolved) {
        for (String name : required) {
            OperationProperties.Reconcile own = operations.propertiesOf(name).reconcile();
            if (!own.isEmpty() && !resolved.contains(name)) {
                throw refused(
                        name,
                        "reconcile",
                        own,
                        "It says how often a resolver is asked, and there is none. Define an OutcomeResolver bean with"
                                + " @ResolvesOutcomesOf(\"" + name + "\"), or leave it out.");
            }
        }
    }

    private static InvalidConfigurationPropertyValueException refused(
            String name, String property, Object value, String reason) {
        return new InvalidConfigurationPropertyValueException(
                "semel.operations." + name + "." + property, value, reason);
    }
}
