package dev.semel.server.cli;

import dev.semel.server.conformance.ConformanceServer;
import dev.semel.server.conformance.Results;
import dev.semel.server.conformance.ScenarioFile;
import dev.semel.server.gateway.config.HostPort;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs the reference server that clients are tested with. */
@Command(
        name = "conformance-server",
        description =
                "Tests whether a client, in any language, retries safely: plays scripted answers and failures, records"
                        + " what the client does, and judges it. Ends when the client says so (POST /conformance/finish), and prints a table."
                        + " Exits with 0 when the client conforms, with 1 when it does not, with 2 when the command line is wrong, with 3"
                        + " when a scenario was not run.")
final class ConformanceServerCommand implements Callable<Integer> {

    private static final String DEFAULT_LISTEN = "127.0.0.1:8087";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "Where requests are accepted (127.0.0.1:8087); port 0 takes a free one.")
    private String listen = DEFAULT_LISTEN;

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            description = "How long the client is waited for (5m).")
    private Duration timeout = Duration.ofMinutes(5);

    @Option(names = "--scenarios", description = "Print the scenarios as YAML, and start nothing.")
    private boolean scenarios;

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        if (scenarios) {
            out.print(ScenarioFile.text());
            return ExitCode.OK;
        }
        try (ConformanceServer server = ConformanceServer.start(address())) {
            out.println("Semel conformance server is ready: " + server.url() + "/conformance/scenarios");
            out.flush();
            Results results = resultsOf(server);
            out.print(results.table());
            return results.exitCode();
        }
    }

    private Results resultsOf(ConformanceServer server) throws InterruptedException {
        try {
            Void unused = server.finished().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            spec.commandLine()
                    .getErr()
                    .println("semel: the client has not finished within " + timeout
                            + "; it ends a run with POST /conformance/finish, and --timeout waits longer");
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
        return server.results();
    }

    private InetSocketAddress address() {
        HostPort address;
        try {
            address = HostPort.parse(listen);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--listen: " + e.getMessage());
        }
        return new InetSocketAddress(address.host(), address.port());
    }
}
