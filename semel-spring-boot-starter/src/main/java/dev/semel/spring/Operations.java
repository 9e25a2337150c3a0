package dev.semel.spring;

import dev.semel.Failures;
import dev.semel.Operation;
import dev.semel.Retention;
import dev.semel.reconcile.ReconcilePolicy;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.convert.DurationStyle;

/** The operations that the properties name, with their policies. An invalid value is reported with its property. */
public final class Operations {

    /** The values of failure-rule that name no part of the application. */
    private static final String SAFE = "safe";

    private static final String NONE = "none";

    /** The heartbeat renews the lease of long work; a longer one only delays the notice of a crash. */
    private static final Duration LONGEST_LEASE = Duration.ofHours(1);

    /** A request that waits longer holds its thread or connection for a client that has given up. */
    private static final Duration LONGEST_WAIT = Duration.ofHours(1);

    private final Failures.Rule rule;
    private final NamedParts parts;
    private final OperationProperties defaults;
    private final Map<String, OperationProperties> named;
    private final Map<String, Operation> operations = new ConcurrentHashMap<>();
    private final Set<String> referenced = ConcurrentHashMap.newKeySet();

    /**
     * @param rule what exceptions mean, for every operation that is not transactional
     * @param parts what properties name of the application's own
     */
    Operations(SemelProperties properties, Failures.Rule rule, NamedParts parts) {
        this.rule = rule;
        this.parts = parts;
        this.defaults = properties.defaults();
        this.named = properties.operations();
        if (!defaults.match().isEmpty()) {
            throw new InvalidConfigurationPropertyValueException(
                    "semel.defaults.match",
                    defaults.match(),
                    "Routes belong to an operation: semel.operations.NAME.match.");
        }
        if (defaults.mayBeUnused() != null) {
            throw new InvalidConfigurationPropertyValueException(
                    "semel.defaults.may-be-unused",
                    defaults.mayBeUnused(),
                    "Set it for each operation: semel.operations.NAME.may-be-unused.");
        }
        named.keySet().forEach(this::known);
    }

    /**
     * The operation of this name; one that no property names has the defaults. A call before the application has
     * started counts as a reference to the operation, so that the start does not fail for its properties.
     */
    public Operation named(String name) {
        Operation operation = known(name);
        referenced.add(name);
        return operation;
    }

    /**
     * The operation of this name for messages or webhooks: the given policy, changed by what the properties set. Later calls of
     * {@link #named} return it, too.
     */
    public Operation basedOn(Operation base) {
        String name = base.name();
        List<String> match = propertiesOf(name).match();
        if (!match.isEmpty()) {
            throw new InvalidConfigurationPropertyValueException(
                    "semel.operations." + name + ".match",
                    match,
                    "The operation " + name
                            + " handles messages or webhooks. Name another operation for these requests, or for the"
                            + " messages by semel.inbox.operation or semel.webhooks.NAME.operation.");
        }
        Operation operation = configured(base);
        operations.put(name, operation);
        referenced.add(name);
        return operation;
    }

    /** The same, without counting as a reference. */
    Operation known(String name) {
        return operations.computeIfAbsent(name, this::operation);
    }

    /** The names of the operations that code has referred to. */
    Set<String> referenced() {
        return Set.copyOf(referenced);
    }

    /** The names of the operations that have properties. */
    Set<String> names() {
        return named.keySet();
    }

    OperationProperties propertiesOf(String name) {
        return named.getOrDefault(name, OperationProperties.NONE);
    }

    /** The setting of an operation, or of the defaults; null when neither has it. */
    <T> @Nullable T setting(String name, Function<OperationProperties, @Nullable T> what) {
        T own = what.apply(propertiesOf(name));
        return own != null ? own : what.apply(defaults);
    }

    private Operation operation(String name) {
        return configured(checked("semel.operations", name, () -> Operation.named(name)));
    }

    private Operation configured(Operation base) {
        Operation operation = with(base, "retention", OperationProperties::retention, Operations::retaining);
        operation = with(operation, "late-retries", OperationProperties::lateRetries, Operation::lateRetries);
        operation = with(operation, "claim", OperationProperties::claim, Operation::claim);
        operation = with(operation, "lease", OperationProperties::lease, Operations::leasing);
        operation = with(operation, "max-wait", OperationProperties::maxWait, Operations::waiting);
        operation = with(operation, "failures", OperationProperties::failures, Operation::failures);
        operation = with(
                operation,
                "reexecutable",
                OperationProperties::reexecutable,
                (plain, yes) -> yes ? plain.reexecutableAfterCrash() : plain);
        return ruled(operation);
    }

    /**
     * The rule that the properties name is asked first, then that of all operations; the safe rule is asked after both. A
     * transaction has none by default.
     */
    private Operation ruled(Operation plain) {
        String name = plain.name();
        if (propertiesOf(name).failureRule() == null
                && Boolean.TRUE.equals(setting(name, OperationProperties::transactional))) {
            return plain;
        }
        if (setting(name, OperationProperties::failureRule) == null) {
            return plain.failureRule(isSafeByDefault(plain) ? inTurn(rule, Failures.Rule.SAFE) : rule);
        }
        return with(plain, "failure-rule", OperationProperties::failureRule, (ruled, own) -> switch (own) {
            case SAFE -> ruled.failureRule(inTurn(rule, Failures.Rule.SAFE));
            case NONE -> ruled.failureRule(rule);
            default -> ruled.failureRule(inTurn(parts.of(Failures.Rule.class, own), rule));
        });
    }

    /** Whether the retention of payments has brought the rule, and nothing has replaced it. */
    private static boolean isSafeByDefault(Operation operation) {
        return operation.rule() != Failures.Rule.NONE && !operation.hasOwnRule();
    }

    /** Whether lost answers of this operation are unknown, and not failures. */
    boolean isSafe(String name) {
        String own = setting(name, OperationProperties::failureRule);
        String retention = setting(name, OperationProperties::retention);
        return own == null
                ? Retention.PAYMENT.name().equalsIgnoreCase(retention)
                        && setting(name, OperationProperties::failures) == null
                : !own.equals(NONE);
    }

    private static Failures.Rule inTurn(Failures.Rule first, Failures.Rule second) {
        if (first == Failures.Rule.NONE) {
            return second;
        }
        return second == Failures.Rule.NONE
                ? first
                : failure -> first.judge(failure).or(() -> second.judge(failure));
    }

    private static Operation leasing(Operation operation, Duration lease) {
        if (lease.compareTo(LONGEST_LEASE) > 0) {
            throw new IllegalArgumentException("A crashed attempt would be noticed only after this time. Use at most "
                    + LONGEST_LEASE + ": a heartbeat renews the lease for as long as the work takes.");
        }
        return operation.lease(lease);
    }

    private static Operation waiting(Operation operation, Duration maxWait) {
        if (maxWait.compareTo(LONGEST_WAIT) > 0) {
            throw new IllegalArgumentException(
                    "A duplicate would hold its thread or connection for this time. Use at most " + LONGEST_WAIT
                            + ", and better a few seconds.");
        }
        return operation.waitUpTo(maxWait);
    }

    private <T> Operation with(
            Operation operation,
            String property,
            Function<OperationProperties, @Nullable T> what,
            BiFunction<Operation, T, Operation> change) {
        T value = setting(operation.name(), what);
        return value == null
                ? operation
                : checked(path(operation.name(), property, what), value, () -> change.apply(operation, value));
    }

    /** The property that a setting of an operation is from. */
    <T> String path(String name, String property, Function<OperationProperties, @Nullable T> what) {
        return what.apply(propertiesOf(name)) != null
                ? "semel.operations." + name + "." + property
                : "semel.defaults." + property;
    }

    private static Operation retaining(Operation operation, String retention) {
        try {
            return operation.retention(Retention.valueOf(retention.toUpperCase(Locale.ROOT)));
        } catch (IllegalArgumentException noPreset) {
            return operation.retention(durationOf(retention));
        }
    }

    private static Duration durationOf(String text) {
        try {
            return DurationStyle.detectAndParse(text);
        } catch (IllegalArgumentException e) {
            String presets = Arrays.stream(Retention.values())
                    .map(preset -> preset.name().toLowerCase(Locale.ROOT))
                    .collect(Collectors.joining(", "));
            throw new IllegalArgumentException("Write a duration such as 24h, or one of " + presets + ".", e);
        }
    }

    /** How often the resolver of this operation is asked. */
    ReconcilePolicy reconcilePolicy(String name) {
        OperationProperties.Reconcile own = propertiesOf(name).reconcile();
        OperationProperties.Reconcile common = defaults.reconcile();
        ReconcilePolicy standard = ReconcilePolicy.DEFAULT;
        return checked(reconcilePath(name), own.isEmpty() ? common : own, () -> {
            Integer tries = first(own.maxTries(), common.maxTries(), standard.maxTries());
            return new ReconcilePolicy(
                    first(own.settleWindow(), common.settleWindow(), standard.settleWindow()),
                    first(own.firstDelay(), common.firstDelay(), standard.firstDelay()),
                    first(own.longestDelay(), common.longestDelay(), standard.longestDelay()),
                    tries);
        });
    }

    /** The property that the resolver of this operation is asked by. */
    String reconcilePath(String name) {
        return (propertiesOf(name).reconcile().isEmpty() ? "semel.defaults" : "semel.operations." + name)
                + ".reconcile";
    }

    /** The value of an operation, of the defaults, or of the library. */
    static <T> T first(@Nullable T own, @Nullable T common, T standard) {
        if (own != null) {
            return own;
        }
        return common != null ? common : standard;
    }

    /** Applies a value; an invalid one is reported with its property. */
    static <T> T checked(String property, @Nullable Object value, Supplier<T> applying) {
        try {
            return applying.get();
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigurationPropertyValueException(property, value, e.getMessage());
        }
    }
}
