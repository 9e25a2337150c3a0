package dev.semel.rules;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.conditions.ArchConditions.accessTargetWhere;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.all;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.GeneralCodingRules.USE_JAVA_UTIL_LOGGING;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.domain.properties.HasName;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.AbstractClassesTransformer;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ClassesTransformer;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Clock;
import java.time.InstantSource;
import java.time.temporal.TemporalAccessor;
import java.util.Calendar;
import java.util.Date;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullMarked;

/** The layers of the design, as rules over the main classes of every module. */
@AnalyzeClasses(locations = Reactor.class)
class ArchitectureTest {

    private static final String JDBC = "dev.semel.jdbc..";
    private static final String REDIS = "dev.semel.redis..";
    private static final String DYNAMODB = "dev.semel.dynamodb..";
    private static final String CASSANDRA = "dev.semel.cassandra..";
    private static final String ITEMS = "dev.semel.items..";
    private static final String HTTP = "dev.semel.http..";
    private static final String ADMIN = "dev.semel.admin..";
    private static final String CONSOLE = "dev.semel.server.console..";
    private static final String HTTP_SERVLET = "dev.semel.http.servlet..";
    private static final String HTTP_REACTIVE = "dev.semel.http.reactive..";
    private static final String JAXRS = "dev.semel.jaxrs..";
    private static final String MICRONAUT = "dev.semel.micronaut..";
    private static final String KOTLIN = "dev.semel.kotlin..";
    private static final String GRPC = "dev.semel.grpc..";
    private static final String CACHE = "dev.semel.cache..";
    private static final String CLIENT = "dev.semel.client..";
    private static final String OBSERVABILITY = "dev.semel.observability..";
    private static final String TESTKIT = "dev.semel.testkit..";
    private static final String TEST_SUPPORT = "dev.semel.testsupport..";

    private static final String SERVER = "dev.semel.server..";
    private static final String GATEWAY = "dev.semel.server.gateway..";
    private static final String SPRING = "dev.semel.spring..";
    private static final String EXAMPLES = "dev.semel.examples..";
    private static final String ENGINE = "dev.semel.engine..";
    private static final String SPI = "dev.semel.spi..";

    private static final DescribedPredicate<JavaClass> CORE =
            compiledIn("/semel-core/").as("classes of core");

    /** Programs and helpers that are not published: they start processes, measure time, wait and print. */
    private static final DescribedPredicate<JavaClass> TOOLS =
            compiledIn("/tools/").or(compiledIn("/semel-test-support/")).as("tools");

    private static DescribedPredicate<JavaClass> compiledIn(String folder) {
        return describe(
                "are compiled in " + folder,
                each -> each.getBaseComponentType()
                        .getSource()
                        .filter(source -> source.getUri().toString().contains(folder))
                        .isPresent());
    }

    @ArchTest
    static final ArchRule core_depends_on_the_jdk_and_jspecify_only = classes()
            .that(CORE)
            .should()
            .onlyDependOnClassesThat(
                    CORE.or(resideInAnyPackage("java..", "javax.crypto..", "javax.sql..", "org.jspecify.."))
                            .as("belong to core, the JDK or JSpecify"));

    /** It takes part in transactions of its callers, and leaves their SQL to stores. */
    @ArchTest
    static final ArchRule core_runs_no_sql = noClasses()
            .that(CORE)
            .should()
            .dependOnClassesThat(assignableTo(Statement.class)
                    .or(assignableTo(ResultSet.class))
                    .as("run SQL"));

    /** The root package is a slice of its own: every other package may use it, and it uses none of them. */
    @ArchTest
    static final ArchRule packages_form_no_cycle = slices().matching("dev.(**)")
            .should()
            .beFreeOfCycles()
            // The folders of an example are chapters, not layers.
            .ignoreDependency(resideInAPackage(EXAMPLES), resideInAPackage(EXAMPLES));

    @ArchTest
    static final ArchRule the_root_package_uses_no_other_package_of_semel = classes()
            .that()
            .resideInAPackage("dev.semel")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("dev.semel", "java..", "javax.crypto..", "javax.sql..", "org.jspecify..");

    /** Wiring names {@code Store}; only stores, the engine and the tools that test them call its verbs. */
    @ArchTest
    static final ArchRule only_stores_and_the_engine_use_the_spi = noClasses()
            .that()
            .resideOutsideOfPackages(
                    SPI, ENGINE, "dev.semel.memory..", JDBC, REDIS, ITEMS, DYNAMODB, CASSANDRA, TESTKIT)
            .and(not(TOOLS))
            .should()
            .dependOnClassesThat()
            .resideInAPackage(SPI);

    /** The admin API has no server of its own: transports hand requests over. */
    @ArchTest
    static final ArchRule the_admin_api_uses_core_and_http_only = classes()
            .that()
            .resideInAPackage(ADMIN)
            .should()
            .onlyDependOnClassesThat(CORE.and(not(resideInAPackage(SPI)))
                    .or(resideInAnyPackage(ADMIN, "dev.semel.http", "java..", "org.jspecify..")));

    @ArchTest
    static final ArchRule stores_do_not_use_http = noClasses()
            .that()
            .resideInAnyPackage(JDBC, REDIS, ITEMS, DYNAMODB, CASSANDRA)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(HTTP, "java.net.http..", "jakarta.servlet..", "org.springframework..");

    @ArchTest
    static final ArchRule only_the_jdbc_module_uses_its_internal_package = noClasses()
            .that()
            .resideOutsideOfPackage(JDBC)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.semel.jdbc.internal..");

    @ArchTest
    static final ArchRule the_databases_do_not_use_each_other = slices().matching(
                    "dev.semel.jdbc.(postgresql|mysql|sqlite)")
            .should()
            .notDependOnEachOther();

    /** An application that uses both depends on both modules. */
    @ArchTest
    static final ArchRule redis_uses_no_other_store =
            noClasses().that().resideInAPackage(REDIS).should().dependOnClassesThat(resideInAnyPackage(JDBC, DYNAMODB));

    @ArchTest
    static final ArchRule databases_use_no_other_store =
            noClasses().that().resideInAPackage(JDBC).should().dependOnClassesThat(resideInAnyPackage(REDIS, DYNAMODB));

    @ArchTest
    static final ArchRule only_redis_uses_lettuce = noClasses()
            .that()
            .resideOutsideOfPackages(REDIS)
            .and(not(TOOLS))
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.lettuce..");

    @ArchTest
    static final ArchRule dynamodb_uses_no_other_store = noClasses()
            .that()
            .resideInAPackage(DYNAMODB)
            .should()
            .dependOnClassesThat(resideInAnyPackage(JDBC, REDIS, CASSANDRA));

    @ArchTest
    static final ArchRule cassandra_uses_no_other_store = noClasses()
            .that()
            .resideInAPackage(CASSANDRA)
            .should()
            .dependOnClassesThat(resideInAnyPackage(JDBC, REDIS, DYNAMODB));

    /** What such stores share knows none of their databases. */
    @ArchTest
    static final ArchRule items_use_core_only = classes()
            .that()
            .resideInAPackage(ITEMS)
            .should()
            .onlyDependOnClassesThat(CORE.or(resideInAnyPackage(ITEMS, "java..", "org.jspecify..")));

    @ArchTest
    static final ArchRule only_cassandra_uses_its_driver = noClasses()
            .that()
            .resideOutsideOfPackages(CASSANDRA)
            .and(not(TOOLS))
            .should()
            .dependOnClassesThat()
            .resideInAPackage("com.datastax..");

    @ArchTest
    static final ArchRule only_dynamodb_uses_the_aws_sdk = noClasses()
            .that()
            .resideOutsideOfPackages(DYNAMODB)
            .and(not(TOOLS))
            .should()
            .dependOnClassesThat()
            .resideInAPackage("software.amazon..");

    /** The engine decides what is kept and for which caller; the cache holds it. */
    @ArchTest
    static final ArchRule the_cache_uses_the_api_the_engine_and_caffeine_only = classes()
            .that()
            .resideInAPackage(CACHE)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    CACHE, "dev.semel", ENGINE, "java..", "org.jspecify..", "com.github.benmanes.caffeine..");

    @ArchTest
    static final ArchRule only_the_cache_uses_caffeine = noClasses()
            .that()
            .resideOutsideOfPackages(CACHE)
            .and(not(TOOLS))
            .should()
            .dependOnClassesThat()
            .resideInAPackage("com.github.benmanes.caffeine..");

    /** It works with any server that supports idempotency keys. */
    @ArchTest
    static final ArchRule the_client_depends_on_the_jdk_and_jspecify_only = classes()
            .that()
            .resideInAPackage(CLIENT)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(CLIENT, "java..", "javax.net.ssl..", "org.jspecify..");

    /** It translates; what requests and responses mean is decided in the gate. */
    @ArchTest
    static final ArchRule the_micronaut_transport_uses_the_protocol_and_micronaut_only = classes()
            .that()
            .resideInAPackage(MICRONAUT)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    MICRONAUT,
                    "dev.semel",
                    "dev.semel.adapter",
                    "dev.semel.http",
                    "java..",
                    "org.jspecify..",
                    "io.micronaut..",
                    "reactor..",
                    "org.reactivestreams..");

    /** It adapts coroutines to the engine's asynchronous calls. */
    @ArchTest
    static final ArchRule kotlin_uses_the_api_and_coroutines_only = classes()
            .that()
            .resideInAPackage(KOTLIN)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    KOTLIN,
                    "dev.semel",
                    "dev.semel.adapter",
                    "dev.semel.fingerprint",
                    "java..",
                    "kotlin..",
                    "kotlinx.coroutines..",
                    "org.jspecify..",
                    "org.jetbrains.annotations..");

    /** It listens to events, and decides nothing. */
    @ArchTest
    static final ArchRule observability_uses_the_api_the_engine_micrometer_and_opentelemetry_only = classes()
            .that()
            .resideInAPackage(OBSERVABILITY)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    OBSERVABILITY,
                    "dev.semel",
                    "dev.semel.key..",
                    "dev.semel.reconcile..",
                    ENGINE,
                    "java..",
                    "org.jspecify..",
                    "io.micrometer.core..",
                    "io.opentelemetry.api..",
                    "io.opentelemetry.context..");

    @ArchTest
    static final ArchRule metrics_work_without_opentelemetry_and_traces_without_micrometer = noClasses()
            .that()
            .resideInAPackage(OBSERVABILITY)
            .and(dependOn("io.micrometer.."))
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.opentelemetry..");

    @ArchTest
    static final ArchRule only_observability_and_its_wiring_use_micrometer_and_opentelemetry = noClasses()
            .that()
            .resideOutsideOfPackages(OBSERVABILITY, SPRING, GATEWAY, EXAMPLES)
            .and(not(TOOLS))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.micrometer..", "io.opentelemetry..");

    /** It passes connections from the application to the engine, and runs no SQL itself. */
    @ArchTest
    static final ArchRule http_uses_no_store = noClasses()
            .that()
            .resideInAPackage(HTTP)
            .should()
            .dependOnClassesThat(resideInAnyPackage(JDBC, REDIS, DYNAMODB)
                    .or(assignableTo(Statement.class))
                    .or(assignableTo(ResultSet.class))
                    .as("belong to a store, or run SQL"));

    /** The libraries of a transport are optional, so the protocol and the other transports must work without them. */
    @ArchTest
    static final ArchRule only_the_webflux_transport_uses_spring_and_reactor = noClasses()
            .that()
            .resideInAPackage(HTTP)
            .and()
            .resideOutsideOfPackage(HTTP_REACTIVE)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(HTTP_REACTIVE, "org.springframework..", "reactor..", "org.reactivestreams..");

    @ArchTest
    static final ArchRule only_the_servlet_transport_uses_servlets = noClasses()
            .that()
            .resideInAPackage(HTTP)
            .and()
            .resideOutsideOfPackage(HTTP_SERVLET)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(HTTP_SERVLET, "jakarta.servlet..");

    /** A runtime without the module {@code jdk.httpserver} has the rest. */
    @ArchTest
    static final ArchRule only_the_jdk_transport_uses_the_jdks_server = noClasses()
            .that()
            .resideInAPackage(HTTP)
            .and()
            .resideOutsideOfPackage("dev.semel.http.jdk..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.semel.http.jdk..", "com.sun.net.httpserver..");

    /** It translates; what requests and responses mean is decided in the gate, and implementations are known by name. */
    @ArchTest
    static final ArchRule the_jaxrs_transport_uses_the_protocol_and_jakarta_rest_only = classes()
            .that()
            .resideInAPackage(JAXRS)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    JAXRS,
                    "dev.semel",
                    "dev.semel.http",
                    "java..",
                    "org.jspecify..",
                    "jakarta.ws.rs..",
                    "jakarta.annotation..");

    /** The other commands start without Vert.x; the benchmarks compare the gateway with a bare hop. */
    @ArchTest
    static final ArchRule only_the_gateway_and_the_console_use_vertx = noClasses()
            .that()
            .resideOutsideOfPackages("dev.semel.server.gateway", CONSOLE)
            .and(not(TOOLS))
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.vertx..");

    /** It sees what a client sees; only its file is read by what reads the gateway's. */
    @ArchTest
    static final ArchRule the_checker_knows_nothing_of_semel = noClasses()
            .that()
            .resideInAPackage("dev.semel.server.check..")
            .should()
            .dependOnClassesThat(resideInAPackage("dev.semel..")
                    .and(not(resideInAPackage("dev.semel.server.check..")))
                    .and(not(resideInAPackage("dev.semel.server.gateway.config"))));

    /** A protected request is sent in one place, once; what its answer means is decided in the gate. */
    @ArchTest
    static final ArchRule the_gateway_decides_nothing_about_records = noClasses()
            .that()
            .resideInAPackage(GATEWAY)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.semel.adapter..", SPI);

    /** It translates; claims and outcomes are the engine's, and a server is the application's. */
    @ArchTest
    static final ArchRule the_grpc_transport_uses_the_engine_and_the_api_of_grpc_only = classes()
            .that()
            .resideInAPackage(GRPC)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    GRPC,
                    "dev.semel",
                    "dev.semel.adapter..",
                    "dev.semel.engine",
                    "dev.semel.fingerprint",
                    "dev.semel.key",
                    "java..",
                    "org.jspecify..",
                    "io.grpc");

    /**
     * The store's clock decides. Exceptions: the memory store's clock starts from the machine's, once, and then counts what
     * elapses; the client has no store, and needs a clock for dates in {@code Retry-After} and for the age of keys; webhooks and
     * federation messages carry the wall-clock time of their sender, which is compared with a window; a key for a window of time
     * names the window of the application's clock; answers say until when they are kept, by the clock that also sets
     * {@code Date}; the gateway's access log says when a request ended; the console says when figures were read; the conformance
     * server sends dates, and a check puts them into requests.
     */
    @ArchTest
    static final ArchRule only_these_read_a_wall_clock = noClasses()
            .that()
            .resideOutsideOfPackage(EXAMPLES)
            .and(not(TOOLS))
            .and(not(anyOf(
                    "dev.semel.memory.ElapsedTime",
                    "dev.semel.admin.access.AdminTime",
                    "dev.semel.client.SystemTime",
                    "dev.semel.http.GateBuilder",
                    "dev.semel.messaging.webhook.WebhookReceiverBuilder",
                    "dev.semel.messaging.federation.FederationHandler$Builder",
                    "dev.semel.server.gateway.GatewayTime",
                    "dev.semel.server.conformance.ConformanceTime",
                    "dev.semel.server.check.subject.Values",
                    "dev.semel.spring.NamedParts")))
            .should(accessTargetWhere(describe("the target is a wall clock", ArchitectureTest::isWallClock)));

    /**
     * Elapsed time is measured for heartbeats and waiting (engine), for how long memory may answer (cache, Redis copies and
     * connections), for metrics and the alarm's window (observability), for the client's own time limits, for pauses of Kafka
     * partitions, for the gateway's access log, for how long it keeps a connection, for the console's sessions and rates, and for
     * how long answers to a check, and the pauses of a tested client, take. No decision to execute rests on any of them. The
     * stores in DynamoDB and Cassandra carry the clocks of service and nodes on with it, and decide by what these answer.
     */
    @ArchTest
    static final ArchRule only_these_measure_time = noClasses()
            .that()
            .resideOutsideOfPackages(
                    ENGINE,
                    "dev.semel.memory..",
                    CACHE,
                    OBSERVABILITY,
                    REDIS,
                    DYNAMODB,
                    CASSANDRA,
                    "dev.semel.testsupport.servers..",
                    EXAMPLES)
            .and(not(TOOLS))
            .and(not(anyOf(
                    "dev.semel.client.SystemTime",
                    "dev.semel.admin.access.AdminTime",
                    "dev.semel.messaging.kafka.PartitionBackoff",
                    "dev.semel.server.gateway.GatewayTime",
                    "dev.semel.server.gateway.KeptConnections",
                    "dev.semel.server.gateway.KeptConnections$Idle",
                    "dev.semel.server.check.wire.CheckTime",
                    "dev.semel.server.conformance.ConformanceTime")))
            .should(accessTargetWhere(describe("the target is System.nanoTime", ArchitectureTest::isStopwatch)));

    /**
     * The timer is the seam through which waiting enters; tests replace it. Exceptions: at the start of a process, where there
     * is no engine yet, before a broker redelivers a message, and between the requests of a check, which has no engine.
     */
    @ArchTest
    static final ArchRule only_these_sleep = noClasses()
            .that()
            .resideOutsideOfPackages("dev.semel.testsupport.servers..", EXAMPLES)
            .and(not(TOOLS))
            .and(not(anyOf(
                    "dev.semel.engine.SystemTimer",
                    "dev.semel.redis.tiered.TierSecret",
                    "dev.semel.messaging.RedeliveryPause",
                    "dev.semel.server.check.wire.CheckTime")))
            .should(accessTargetWhere(describe("the target is a sleep", ArchitectureTest::isSleep)));

    /** A task that blocks there holds up the time limits of the whole process: Semel's have threads of their own. */
    @ArchTest
    static final ArchRule no_time_limit_rides_on_the_shared_delay_thread_of_the_jdk = noClasses()
            .that(not(TOOLS))
            .should(accessTargetWhere(describe(
                    "the target waits on the delay thread of CompletableFuture", ArchitectureTest::isSharedDelay)));

    @ArchTest
    static final ArchRule only_test_support_starts_servers = noClasses()
            .that()
            .resideOutsideOfPackage("dev.semel.testsupport.servers..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.zonky.test..",
                    "ch.vorburger..",
                    "redis.embedded..",
                    "org.springframework.kafka.test..",
                    "org.apache.activemq.artemis.core.server..",
                    "org.apache.qpid.server..");

    private static DescribedPredicate<JavaClass> anyOf(String... names) {
        return describe("are " + String.join(", ", names), each -> Set.of(names).contains(each.getName()));
    }

    @ArchTest
    static final ArchRule libraries_print_nothing = noClasses()
            .that()
            .resideOutsideOfPackages(SERVER, EXAMPLES)
            .and(not(TOOLS))
            .should(ACCESS_STANDARD_STREAMS)
            .orShould(USE_JAVA_UTIL_LOGGING);

    @ArchTest
    static final ArchRule every_package_is_null_marked = all(packages()).should(beNullMarked());

    private static DescribedPredicate<JavaClass> dependOn(String packages) {
        return describe(
                "depend on " + packages,
                each -> each.getDirectDependenciesFromSelf().stream()
                        .anyMatch(dependency -> resideInAPackage(packages).test(dependency.getTargetClass())));
    }

    private static boolean isWallClock(JavaAccess<?> access) {
        JavaClass owner = access.getTargetOwner();
        String name = access.getTarget().getName();
        if (owner.isEquivalentTo(System.class)) {
            return name.equals("currentTimeMillis");
        }
        if (owner.isEquivalentTo(Clock.class)) {
            return name.startsWith("system") || name.startsWith("tick");
        }
        if (owner.isEquivalentTo(InstantSource.class)) {
            return name.equals("system");
        }
        if (owner.isEquivalentTo(Date.class)) {
            return name.equals("<init>") && parameters(access).isEmpty();
        }
        if (owner.isAssignableTo(Calendar.class)) {
            return name.equals("getInstance")
                    || name.equals("<init>") && parameters(access).isEmpty();
        }
        return name.equals("now")
                && owner.isAssignableTo(TemporalAccessor.class)
                && !parameters(access).contains(Clock.class.getName());
    }

    private static boolean isStopwatch(JavaAccess<?> access) {
        return access.getTargetOwner().isEquivalentTo(System.class)
                && access.getTarget().getName().equals("nanoTime");
    }

    private static boolean isSleep(JavaAccess<?> access) {
        JavaClass owner = access.getTargetOwner();
        return access.getTarget().getName().equals("sleep")
                && (owner.isAssignableTo(Thread.class) || owner.isEquivalentTo(TimeUnit.class));
    }

    private static boolean isSharedDelay(JavaAccess<?> access) {
        return access.getTargetOwner().isEquivalentTo(CompletableFuture.class)
                && Set.of("orTimeout", "completeOnTimeout", "delayedExecutor")
                        .contains(access.getTarget().getName());
    }

    private static List<String> parameters(JavaAccess<?> access) {
        return access.getTarget() instanceof CodeUnitAccessTarget target
                ? HasName.Utils.namesOf(target.getRawParameterTypes())
                : List.of();
    }

    private static ClassesTransformer<JavaPackage> packages() {
        return new AbstractClassesTransformer<>("packages") {
            @Override
            public Iterable<JavaPackage> doTransform(JavaClasses classes) {
                Set<JavaPackage> packages = new LinkedHashSet<>();
                for (JavaClass each : classes) {
                    if (!each.getPackageName().endsWith("jmh_generated")) {
                        packages.add(each.getPackage());
                    }
                }
                return packages;
            }
        };
    }

    private static ArchCondition<JavaPackage> beNullMarked() {
        return new ArchCondition<>("be annotated with @NullMarked") {
            @Override
            public void check(JavaPackage each, ConditionEvents events) {
                boolean marked = each.isAnnotatedWith(NullMarked.class);
                events.add(new SimpleConditionEvent(
                        each, marked, each.getName() + (marked ? " is" : " is not") + " annotated with @NullMarked"));
            }
        };
    }
}
