package dev.semel.server.cli;

import dev.semel.server.gateway.ConfigWatch;
import dev.semel.server.gateway.GatewayProcess;
import dev.semel.server.gateway.config.AccessLogConfig;
import dev.semel.server.gateway.config.ConfigException;
import dev.semel.server.gateway.config.ConfigSchema;
import dev.semel.server.gateway.config.Explanation;
import dev.semel.server.gateway.config.FileConfig;
import dev.semel.server.gateway.config.GatewayConfig;
import dev.semel.server.gateway.config.HostPort;
import dev.semel.server.gateway.config.ListenerConfig;
import dev.semel.server.gateway.config.StoreConfig;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs a gateway in front of a service. */
@Command(
        name = "gateway",
        description = "Forwards requests to a service in any language, and makes those with an Idempotency-Key safe to"
                + " retry: each is dispatched at most once, and duplicates get the recorded answer.")
final class GatewayCommand implements Callable<Integer> {

    private static final String STORE_VARIABLE = "SEMEL_STORE";
    private static final String DEFAULT_STORE = "sqlite:.semel/gateway/semel.db";
    private static final HostPort DEFAULT_LISTEN = new HostPort("127.0.0.1", 8088);
    private static final HostPort DEFAULT_ADMIN = new HostPort("127.0.0.1", 8089);
    private static final Duration DEFAULT_DRAIN = Duration.ofSeconds(30);

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private GatewayOptions options = new GatewayOptions();

    @Option(names = "--listen", paramLabel = "HOST:PORT", description = "Where requests are accepted (127.0.0.1:8088).")
    private @Nullable String listen;

    @Option(
            names = "--admin",
            paramLabel = "HOST:PORT",
            description = "Where /healthz, /readyz and /metrics are (127.0.0.1:8089).")
    private @Nullable String admin;

    @Option(
            names = "--store",
            paramLabel = "URI",
            description = "Where records are kept (default: the environment variable " + STORE_VARIABLE + ", or else "
                    + DEFAULT_STORE + ").")
    private @Nullable String store;

    @Option(
            names = "--drain",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            description = "How long requests in flight are waited for when the gateway is stopped (30s).")
    private @Nullable Duration drain;

    @Option(
            names = "--access-log",
            paramLabel = "off|stdout|FILE",
            description = "Where a line of JSON about each request is written (off).")
    private @Nullable String accessLog;

    @Option(names = "--check", description = "Check the configuration, and start nothing.")
    private boolean check;

    @Option(
            names = "--explain",
            paramLabel = "REQUEST",
            description = "Say which route a request such as 'POST /payments' takes, and start nothing.")
    private @Nullable String explain;

    @Option(names = "--schema", description = "Print the JSON Schema of configuration files, for editors.")
    private boolean schema;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        if (schema) {
            out.print(ConfigSchema.text());
            return ExitCode.OK;
        }
        FileConfig config = valid("", this::read);
        String asked = explain;
        if (asked != null) {
            valid("--explain: ", () -> Explanation.of(config.gateway(), asked)).forEach(out::println);
            return ExitCode.OK;
        }
        if (check) {
            out.println(
                    "The configuration is valid: " + config.gateway().routes().size() + " routes");
            return ExitCode.OK;
        }
        run(config, out);
        return ExitCode.OK;
    }

    private FileConfig read() {
        try {
            return options.read();
        } catch (ConfigException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private void run(FileConfig config, PrintWriter out) {
        HostPort adminOn = address("--admin", admin, config.admin(), DEFAULT_ADMIN);
        StoreConfig stored = new StoreConfig(storeUri(config), config.pruneEvery());
        GatewayProcess gateway = valid(
                "",
                () -> GatewayProcess.start(
                        stored,
                        new GatewayProcess.Listeners(listener(config), adminOn, config.console()),
                        config.gateway()));
        CountDownLatch ended = stopWithProcess(gateway, drainOf(config));
        watch(gateway, out);
        out.println("Admin: http://" + gateway.adminAddress() + "/healthz, /readyz, /metrics, /semel/console/");
        String scheme = config.tls() == null ? "http" : "https";
        out.println("Semel gateway is ready: " + scheme + "://" + gateway.address() + " -> "
                + servicesOf(config.gateway()));
        out.flush();
        try {
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            gateway.stop(drainOf(config));
        }
    }

    private ListenerConfig listener(FileConfig config) {
        String named = accessLog;
        AccessLogConfig log =
                named == null ? config.accessLog() : valid("--access-log: ", () -> AccessLogConfig.parse(named));
        return ListenerConfig.on(address("--listen", listen, config.listen(), DEFAULT_LISTEN))
                .tls(config.tls())
                .limits(config.limits())
                .accessLog(log == null ? new AccessLogConfig.Off() : log);
    }

    private static String servicesOf(GatewayConfig config) {
        return String.join(
                ", ",
                config.routes().stream()
                        .map(route -> route.upstream().toString())
                        .distinct()
                        .toList());
    }

    private static CountDownLatch stopWithProcess(GatewayProcess gateway, Duration longest) {
        CountDownLatch ended = new CountDownLatch(1);
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            gateway.stop(longest);
                            ended.countDown();
                        },
                        "semel-gateway-shutdown"));
        return ended;
    }

    private void watch(GatewayProcess gateway, PrintWriter out) {
        Path file = options.file();
        if (file != null) {
            ConfigWatch.start(file, () -> options.read().gateway(), gateway::reload, line -> {
                out.println(line);
                out.flush();
            });
        }
    }

    private Duration drainOf(FileConfig config) {
        if (drain != null) {
            return drain;
        }
        return config.drain() == null ? DEFAULT_DRAIN : config.drain();
    }

    private HostPort address(String option, @Nullable String given, @Nullable HostPort inFile, HostPort standard) {
        if (given != null) {
            return valid(option + ": ", () -> HostPort.parse(given));
        }
        return inFile == null ? standard : inFile;
    }

    private String storeUri(FileConfig config) {
        if (store != null) {
            return store;
        }
        if (config.store() != null) {
            return config.store();
        }
        String variable = System.getenv(STORE_VARIABLE);
        return variable == null || variable.isBlank() ? DEFAULT_STORE : variable;
    }

    private <T> T valid(String what, Supplier<T> value) {
        try {
            return value.get();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), what + e.getMessage());
        }
    }
}
