package dev.semel.spring;

import dev.semel.Operation;
import dev.semel.cache.CaffeineNearCache;
import dev.semel.engine.SemelEngine;
import dev.semel.http.GateBuilder;
import dev.semel.http.RoutePolicyBuilder;
import dev.semel.http.Routes;
import dev.semel.http.key.KeyRules;
import dev.semel.http.key.KeyStrategy;
import dev.semel.jdbc.mysql.MysqlOptions;
import dev.semel.jdbc.postgresql.PostgresOptions;
import dev.semel.jdbc.sqlite.SqliteOptions;
import dev.semel.reconcile.ReconcilePolicy;
import dev.semel.reconcile.Reconciler;
import dev.semel.redis.tiered.TieredOptions;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Everything that can be set in Java, and the property that sets the same, or why there is none. */
final class ApiTable {

    /** Java, then properties with commas between, then a remark, which stands alone where there is no property. */
    private static final String ROWS = """
            Operation.retention | semel.operations.NAME.retention |
            Operation.lease | semel.operations.NAME.lease |
            Operation.lateRetries | semel.operations.NAME.late-retries |
            Operation.claim | semel.operations.NAME.claim |
            Operation.waitUpTo | semel.operations.NAME.max-wait |
            Operation.reexecutableAfterCrash | semel.operations.NAME.reexecutable |
            Operation.failures | semel.operations.NAME.failures |
            Operation.failureRule | semel.operations.NAME.failure-rule | a bean of type `Failures.Rule` is for all operations
            RoutePolicyBuilder.keyRequired | semel.operations.NAME.key | `required`
            RoutePolicyBuilder.keyOptional | semel.operations.NAME.key | `optional`
            RoutePolicyBuilder.keyDerived | semel.operations.NAME.key | `field:…`, `bean:NAME`, `class:NAME`
            RoutePolicyBuilder.keyFromContent | semel.operations.NAME.key | `content`
            KeyStrategy.fromHeader | semel.http.key-header |
            KeyStrategy.contentHash | semel.operations.NAME.key | `content`
            KeyStrategy.fromField | semel.operations.NAME.key | `field:/order/id`
            KeyStrategy.userAction | semel.operations.NAME.key-user-action |
            KeyStrategy.timeWindow | semel.operations.NAME.key-time-window | by the bean of type `InstantSource`, or the machine's clock
            KeyStrategy.orElse | | a bean of type `KeyStrategy`
            KeyStrategy.withRules | semel.operations.NAME.key-rules |
            RoutePolicyBuilder.profile | semel.operations.NAME.profile |
            RoutePolicyBuilder.strictKeys | semel.operations.NAME.strict-keys | `true`
            RoutePolicyBuilder.lenientKeys | semel.operations.NAME.strict-keys | `false`
            RoutePolicyBuilder.keyRules | semel.operations.NAME.key-rules |
            KeyRules.uuid | semel.operations.NAME.key-rules.uuid |
            KeyRules.minLength | semel.operations.NAME.key-rules.min-length |
            KeyRules.maxLength | semel.operations.NAME.key-rules.max-length |
            RoutePolicyBuilder.keyHygiene | semel.operations.NAME.key-hygiene |
            RoutePolicyBuilder.semanticFields | semel.operations.NAME.semantic-fields |
            RoutePolicyBuilder.fingerprintHeaders | semel.operations.NAME.fingerprint-headers |
            RoutePolicyBuilder.inProgress | semel.operations.NAME.in-progress |
            RoutePolicyBuilder.mismatchStatus | semel.operations.NAME.mismatch-status |
            RoutePolicyBuilder.refusedReplay | semel.operations.NAME.refused-replay |
            RoutePolicyBuilder.explainMismatches | semel.operations.NAME.explain-mismatches |
            RoutePolicyBuilder.storeDown | semel.operations.NAME.store-down |
            RoutePolicyBuilder.notExecutedOn | semel.operations.NAME.not-executed-on |
            RoutePolicyBuilder.responseRule | semel.operations.NAME.response-rule |
            RoutePolicyBuilder.maxRequestBody | semel.operations.NAME.max-request-body |
            RoutePolicyBuilder.maxRecordedResponse | semel.operations.NAME.max-recorded-response |
            RoutePolicyBuilder.inTransaction | semel.operations.NAME.transactional | a bean of type `TransactionRunner` replaces the starter's
            Routes.Builder.protect | semel.operations.NAME.match, semel.unmatched |
            Routes.Builder.unprotected | semel.unprotected |
            GateBuilder.keyHeader | semel.http.key-header |
            GateBuilder.strictKeys | semel.http.strict-keys |
            GateBuilder.statusPath | semel.http.status-path |
            GateBuilder.policyPath | semel.http.policy-path |
            GateBuilder.answerHeaders | semel.http.answer-headers |
            GateBuilder.clock | | the bean of type `InstantSource`, or the machine's clock
            GateBuilder.problemRenderer | | a bean of type `ProblemRenderer`
            GateBuilder.replayCheck | | beans of type `ReplayCheck`; [more](../how-to/replay-authorization.md)
            GateBuilder.documentation | semel.http.documentation |
            GateBuilder.fingerprinter | semel.fingerprints.current, semel.fingerprints.keys | or a bean of type `Fingerprinter`
            GateBuilder.describeRequests | semel.http.describe-requests |
            GateBuilder.sendsTrailers | | for transports that send trailers; servlets and WebFlux do not
            SemelEngine.Builder.listener | | beans of type `SemelListener`
            SemelEngine.Builder.timer | | for tests of the engine
            SemelEngine.Builder.encryption | semel.encryption.current, semel.encryption.keys | or a bean of type `EncryptionKeys`
            SemelEngine.Builder.nearCache | semel.near-cache.enabled | or a bean of type `NearCache`
            SemelEngine.Builder.tracer | | a bean of type `OpenTelemetry` or `Tracer`
            SemelEngine.Builder.downstreamSecret | semel.downstream-secret |
            SemelEngine.Builder.hashedKeys | semel.keys, semel.keys-secret |
            SemelEngine.Builder.explainMismatches | semel.http.explain-mismatches, semel.explanation-secret |
            SemelEngine.Builder.forOperators | | an application executes; the command line does not
            SemelEngine.Builder.pruneEvery | semel.pruning.enabled, semel.pruning.every, semel.pruning.expiry |
            CaffeineNearCache.Builder.maxBytes | semel.near-cache.max-bytes |
            CaffeineNearCache.Builder.maxAge | semel.near-cache.max-age |
            CaffeineNearCache.Builder.timer | | for tests of the cache
            Reconciler.Builder.resolve | | beans of type `OutcomeResolver` with `@ResolvesOutcomesOf`
            Reconciler.Builder.every | semel.reconciler.every |
            Reconciler.Builder.answerWithin | semel.reconciler.answer-within |
            Reconciler.Builder.batch | semel.reconciler.batch |
            ReconcilePolicy.settleWindow | semel.operations.NAME.reconcile.settle-window |
            ReconcilePolicy.firstDelay | semel.operations.NAME.reconcile.first-delay |
            ReconcilePolicy.longestDelay | semel.operations.NAME.reconcile.longest-delay |
            ReconcilePolicy.maxTries | semel.operations.NAME.reconcile.max-tries |
            PostgresOptions.schemaMode | semel.jdbc.schema-mode |
            PostgresOptions.acceptUnsafeDurability | semel.jdbc.accept-unsafe-durability |
            PostgresOptions.lanes | semel.jdbc.lanes |
            PostgresOptions.tombstones | semel.jdbc.tombstones |
            MysqlOptions.schemaMode | semel.jdbc.schema-mode |
            MysqlOptions.acceptUnsafeDurability | semel.jdbc.accept-unsafe-durability |
            MysqlOptions.lanes | semel.jdbc.lanes |
            MysqlOptions.tombstones | semel.jdbc.tombstones |
            SqliteOptions.schemaMode | semel.jdbc.schema-mode |
            SqliteOptions.busyTimeout | semel.jdbc.busy-timeout |
            SqliteOptions.tombstones | semel.jdbc.tombstones |
            TieredOptions.timeout | semel.tier-timeout |
            TieredOptions.maxAge | semel.tier-max-age |
            """;

    /** Builders, whose methods set something, and the types whose methods return a changed one. */
    private static final List<Class<?>> BUILDERS = List.of(
            Operation.class,
            RoutePolicyBuilder.class,
            Routes.Builder.class,
            GateBuilder.class,
            SemelEngine.Builder.class,
            Reconciler.Builder.class,
            CaffeineNearCache.Builder.class);

    private static final List<Class<?>> RECORDS = List.of(
            KeyRules.class,
            ReconcilePolicy.class,
            PostgresOptions.class,
            MysqlOptions.class,
            SqliteOptions.class,
            TieredOptions.class);

    private ApiTable() {}

    /** A row of the table. */
    record Row(String java, List<String> properties, String remark) {}

    static List<Row> rows() {
        return ROWS.lines().map(ApiTable::row).toList();
    }

    private static Row row(String line) {
        String[] cells = line.split("\\|", -1);
        return new Row(
                cells[0].strip(),
                Arrays.stream(cells[1].split(","))
                        .map(String::strip)
                        .filter(name -> !name.isEmpty())
                        .toList(),
                cells[2].strip());
    }

    /** Everything that the public API can set, as in {@code Operation.lease}. */
    static Set<String> settable() {
        Set<String> names = new TreeSet<>();
        for (Class<?> builder : BUILDERS) {
            Arrays.stream(builder.getDeclaredMethods())
                    .filter(method -> !Modifier.isStatic(method.getModifiers()) && method.getReturnType() == builder)
                    .forEach(method -> addTo(names, builder, method));
        }
        Arrays.stream(KeyStrategy.class.getDeclaredMethods())
                .filter(method -> method.getReturnType() == KeyStrategy.class)
                .forEach(method -> addTo(names, KeyStrategy.class, method));
        RECORDS.forEach(type -> Stream.of(type.getRecordComponents())
                .map(RecordComponent::getName)
                .forEach(component -> names.add(nameOf(type) + "." + component)));
        return names;
    }

    private static void addTo(Set<String> names, Class<?> type, Method method) {
        if (Modifier.isPublic(method.getModifiers()) && !method.isSynthetic()) {
            names.add(nameOf(type) + "." + method.getName());
        }
    }

    private static String nameOf(Class<?> type) {
        return type.getEnclosingClass() == null
                ? type.getSimpleName()
                : type.getEnclosingClass().getSimpleName() + "." + type.getSimpleName();
    }
}
