package dev.semel.spring;

import dev.semel.http.Profile;
import dev.semel.http.RoutePolicyBuilder;
import dev.semel.http.key.IdempotencyKeyHeader;
import dev.semel.http.key.KeyRules;
import dev.semel.http.key.KeyStrategy;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * How the key of an operation's requests is found.
 *
 * <ol>
 *   <li>{@code key} says where it is: in the header, in a field, or made of the content.
 *   <li>{@code strict-keys} and {@code key-rules} apply to what is found there. The defaults of both do not apply where they
 *       cannot, as to a digest; an operation's own are refused there.
 *   <li>{@code key-user-action} and {@code key-time-window} make the key unique for a user and an action, and for a window.
 * </ol>
 *
 * <p>For requests that belong to no operation, {@code semel.unmatched} says it instead.
 */
final class KeyChoice {

    private static final String REQUIRED = "required";
    private static final String OPTIONAL = "optional";
    private static final String CONTENT = "content";
    private static final String FIELD = "field:";

    private final SemelProperties properties;
    private final Operations operations;
    private final NamedParts parts;

    KeyChoice(SemelProperties properties, Operations operations, NamedParts parts) {
        this.properties = properties;
        this.operations = operations;
        this.parts = parts;
    }

    void applyTo(RoutePolicyBuilder policy, String operation) {
        if (operation.equals(RouteTable.UNMATCHED) && properties.unmatched() != SemelProperties.Unmatched.IGNORED) {
            requireNoKey(operation, "key", OperationProperties::key);
            requireNoKey(operation, "key-user-action", OperationProperties::keyUserAction);
            requireNoKey(operation, "key-time-window", OperationProperties::keyTimeWindow);
            boolean required = properties.unmatched() == SemelProperties.Unmatched.REQUIRED;
            inHeader(policy, operation, required ? REQUIRED : OPTIONAL);
            return;
        }
        String where = operations.setting(operation, OperationProperties::key);
        if (isComposed(operation)) {
            composed(policy, operation, where == null ? REQUIRED : where);
        } else if (where == null || where.equals(REQUIRED) || where.equals(OPTIONAL)) {
            inHeader(policy, operation, where == null ? REQUIRED : where);
        } else {
            policy.keyDerived(derived(operation, where)).keyRules(rulesOfDerived(operation, where));
        }
    }

    private <T> void requireNoKey(String operation, String property, Function<OperationProperties, @Nullable T> what) {
        T own = what.apply(operations.propertiesOf(operation));
        if (own != null) {
            throw refused(
                    operation,
                    property,
                    own,
                    "Requests that belong to no operation have their key in the header, and semel.unmatched says whether it"
                            + " is required. Leave this out, and set semel.unmatched, or name an operation for these"
                            + " requests by its match.");
        }
    }

    private void inHeader(RoutePolicyBuilder policy, String operation, String where) {
        if (where.equals(OPTIONAL)) {
            policy.keyOptional();
        } else {
            policy.keyRequired();
        }
        Profile profile = operations.setting(operation, OperationProperties::profile);
        boolean standard = profile == null || profile == Profile.STANDARD;
        Boolean strict = standard
                ? operations.setting(operation, OperationProperties::strictKeys)
                : operations.propertiesOf(operation).strictKeys();
        if (Boolean.TRUE.equals(strict)) {
            policy.strictKeys();
        } else if (strict != null) {
            policy.lenientKeys();
        }
        policy.keyRules(rules(operation));
    }

    private boolean isComposed(String operation) {
        return operations.setting(operation, OperationProperties::keyUserAction) != null
                || operations.setting(operation, OperationProperties::keyTimeWindow) != null;
    }

    private void composed(RoutePolicyBuilder policy, String operation, String where) {
        KeyStrategy key = base(operation, where);
        String action = operations.setting(operation, OperationProperties::keyUserAction);
        if (action != null) {
            KeyStrategy inner = key;
            key = Operations.checked(
                    operations.path(operation, "key-user-action", OperationProperties::keyUserAction),
                    action,
                    () -> KeyStrategy.userAction(action, inner));
        }
        Duration window = operations.setting(operation, OperationProperties::keyTimeWindow);
        if (window != null) {
            KeyStrategy inner = key;
            key = Operations.checked(
                    operations.path(operation, "key-time-window", OperationProperties::keyTimeWindow), window, () -> {
                        requireKeptFor(window, operation);
                        return KeyStrategy.timeWindow(window, parts.clock(), inner);
                    });
        }
        policy.keyDerived(key);
    }

    /** The key within a user's action or a window; rules apply to it, and not to what is made of it. */
    private KeyStrategy base(String operation, String where) {
        if (where.equals(OPTIONAL)) {
            throw new InvalidConfigurationPropertyValueException(
                    operations.path(operation, "key", OperationProperties::key),
                    where,
                    "With key-user-action or key-time-window, requests without a key are refused. Set"
                            + " semel.operations." + operation + ".key to required, content or field:/order/id.");
        }
        if (!where.equals(REQUIRED)) {
            return derived(operation, where).withRules(rulesOfDerived(operation, where));
        }
        Boolean strict = operations.setting(operation, OperationProperties::strictKeys);
        String header = properties.http().keyHeader();
        return Operations.checked(
                        "semel.http.key-header",
                        header,
                        () -> (strict != null ? strict : properties.http().strictKeys())
                                ? IdempotencyKeyHeader.strict(header)
                                : IdempotencyKeyHeader.lenient(header))
                .withRules(rules(operation));
    }

    /** A record that is forgotten within its window lets the same request execute again in it. */
    private void requireKeptFor(Duration window, String operation) {
        Duration retention = operations.known(operation).retention();
        if (retention.compareTo(window) < 0) {
            throw new IllegalArgumentException("The records of " + operation + " are kept for " + retention
                    + ", so that the same request would execute again within one window of " + window
                    + ". Set semel.operations." + operation + ".retention to at least that.");
        }
    }

    private KeyStrategy derived(String operation, String where) {
        Boolean strict = operations.propertiesOf(operation).strictKeys();
        if (strict != null) {
            throw refused(
                    operation,
                    "strict-keys",
                    strict,
                    "It applies to keys in the header, but by key: " + where + " the key is not there. Leave it out.");
        }
        return Operations.checked(
                operations.path(operation, "key", OperationProperties::key), where, () -> strategy(where));
    }

    private KeyStrategy strategy(String where) {
        if (where.equals(CONTENT)) {
            return KeyStrategy.contentHash();
        }
        if (where.startsWith(FIELD)) {
            return KeyStrategy.fromField(where.substring(FIELD.length()));
        }
        if (NamedParts.isName(where)) {
            return parts.of(KeyStrategy.class, where);
        }
        throw new IllegalArgumentException("Use required, optional, content, field: and a JSON Pointer, such as"
                + " field:/order/id, bean: and the name of a bean of type KeyStrategy, or class: and the full name of a"
                + " class of that type.");
    }

    private KeyRules rulesOfDerived(String operation, String where) {
        if (!where.equals(CONTENT)) {
            return rules(operation);
        }
        OperationProperties.Rules own = operations.propertiesOf(operation).keyRules();
        if (!own.isEmpty()) {
            throw refused(
                    operation,
                    "key-rules",
                    own,
                    "By key: content the key is a digest, which clients do not choose. Leave the rules out.");
        }
        return KeyRules.NONE;
    }

    private KeyRules rules(String operation) {
        OperationProperties.Rules own = operations.propertiesOf(operation).keyRules();
        OperationProperties.Rules common = properties.defaults().keyRules();
        return Operations.checked(
                (own.isEmpty() ? "semel.defaults" : "semel.operations." + operation) + ".key-rules",
                own.isEmpty() ? common : own,
                () -> new KeyRules(
                        Operations.first(own.uuid(), common.uuid(), KeyRules.NONE.uuid()),
                        Operations.first(own.minLength(), common.minLength(), KeyRules.NONE.minLength()),
                        Operations.first(own.maxLength(), common.maxLength(), KeyRules.NONE.maxLength())));
    }

    private static InvalidConfigurationPropertyValueException refused(
            String operation, String property, Object value, String reason) {
        return new InvalidConfigurationPropertyValueException(
                "semel.operations." + operation + "." + property, value, reason);
    }
}
