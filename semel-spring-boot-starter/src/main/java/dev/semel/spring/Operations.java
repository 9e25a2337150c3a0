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

    private final Failures.Rule rule;
    private final OperationProperties defaults;
    private final Map<String, OperationProperties> named;
    private final Map<String, Operation> operations = new ConcurrentHashMap<>();
    private final Set<String> referenced = ConcurrentHashMap.newKeySet();

    /** @param rule what exceptions mean, for every operation that is not transactional */
    Operations(SemelProperties properties, Failures.Rule rule) {
        this.rule = rule;
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
        String name = base.name();
        Operation operation = base;
        if (!Boolean.TRUE.equals(setting(name, OperationProperties::transactional))) {
            operation = operation.failureRule(rule);
        }
        operation = with(operation, "retention", OperationProperties::retention, Operations::retaining);
        operation = with(operation, "lease", OperationProperties::lease, Operation::lease);
        operation = with(operation, "max-wait", OperationProperties::maxWait, Operation::waitUpTo);
        operation = with(operation, "failures", OperationProperties::failures, Operation::failures);
        return with(
                operation,
                "reexecutable",
                OperationProperties::reexecutable,
                (plain, yes) -> yes ? plain.reexecutableAfterCrash() : plain);
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
        return checked("semel.operations." + name + ".reconcile", own, () -> {
            Integer tries = first(own.maxTries(), common.maxTries(), standard.maxTries());
            return new ReconcilePolicy(
                    first(own.settleWindow(), common.settleWindow(), standard.settleWindow()),
                    first(own.firstDelay(), common.firstDelay(), standard.firstDelay()),
                    first(own.longestDelay(), common.longestDelay(), standard.longestDelay()),
                    tries);
        });
    }

    private static <T> T first(@Nullable T own, @Nullable T common, T standard) {
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
