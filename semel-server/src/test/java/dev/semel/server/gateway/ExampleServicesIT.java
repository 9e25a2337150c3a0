package dev.semel.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.server.cli.CommandLines;
import dev.semel.testsupport.http.Wire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The services of {@code examples/gateway} as processes, unchanged, behind the gateway's own process and the example's file. */
@DisplayName("A service that knows nothing of Semel, behind the gateway")
class ExampleServicesIT {

    private static final int DUPLICATES = 64;

    @TempDir
    Path directory;

    private GatewayJvm gateway(ExampleService service) throws IOException, InterruptedException {
        String file = Files.readString(ExampleService.FOLDER.resolve("gateway.yaml"));
        Path config = directory.resolve("gateway.yaml");
        Files.writeString(
                config,
                file.replace("http://127.0.0.1:9000", "http://127.0.0.1:" + service.port())
                        .replace("sqlite:.semel/payments/semel.db", "sqlite:" + directory.resolve("payments.db"))
                        .replace("every: 1s", "every: 100ms")
                        .replace("settle-window: 10s", "settle-window: 1s")
                        .replace("first-delay: 1s", "first-delay: 100ms")
                        .replace("longest-delay: 5s", "longest-delay: 500ms\n      tries: 1000"));
        return GatewayJvm.start(config);
    }

    private static Wire.Reply pay(int port, String order) {
        return new Wire.Request("POST", "/payments")
                .key("7c1f0f0e-5a0e-4a53-9a5e-" + order)
                .json("{\"order\":\"" + order + "\",\"amount\":100}")
                .send(port);
    }

    @ParameterizedTest
    @EnumSource(ExampleService.Language.class)
    void runs_once_for_64_simultaneous_duplicates(ExampleService.Language language) throws Exception {
        try (ExampleService service = ExampleService.start(language, directory.resolve("ledger"));
                GatewayJvm gateway = gateway(service)) {
            pay(service.port(), "unprotected0");
            pay(service.port(), "unprotected0");
            assertThat(service.booked("unprotected0")).as("without the gateway").isEqualTo(2);

            List<Wire.Reply> replies = together(() -> pay(gateway.port(), "000000000001"));

            assertThat(replies).extracting(Wire.Reply::status).containsOnly(201);
            assertThat(replies.stream().map(Wire.Reply::text).distinct()).hasSize(1);
            assertThat(replies.stream().filter(Wire.Reply::replayed)).hasSize(DUPLICATES - 1);
            assertThat(service.booked("000000000001")).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("keep every promise that semel check tests, by the service's own ledger")
    void keep_every_promise_that_semel_check_tests() throws Exception {
        Path ledger = directory.resolve("ledger");
        try (ExampleService service = ExampleService.start(ExampleService.Language.PYTHON, ledger);
                GatewayJvm gateway = gateway(service)) {
            var run = CommandLines.run(
                    "check",
                    "http://127.0.0.1:" + gateway.port() + "/payments",
                    "--json",
                    "{\"order\":\"{{uuid}}\",\"amount\":100}",
                    "--effects-command",
                    "cat " + ledger + " 2>/dev/null | wc -l",
                    "--patience",
                    "1s",
                    "--settle",
                    "20",
                    "--retry-pause",
                    "20",
                    "--yes");

            assertThat(run.getKey()).as(run.getValue()).isZero();
            assertThat(run.getValue())
                    .contains("✓ duplicates-at-once", "✓ hang-up-before-answer")
                    .doesNotContain("✗");
        }
    }

    private static List<Wire.Reply> together(Callable<Wire.Reply> request) throws Exception {
        ExecutorService clients = Executors.newFixedThreadPool(DUPLICATES);
        try {
            List<Wire.Reply> replies = new ArrayList<>();
            for (Future<Wire.Reply> each : clients.invokeAll(Collections.nCopies(DUPLICATES, request))) {
                replies.add(each.get(60, TimeUnit.SECONDS));
            }
            return replies;
        } finally {
            clients.shutdownNow();
        }
    }

    @ParameterizedTest
    @EnumSource(ExampleService.Language.class)
    void is_killed_after_it_booked_and_the_look_up_completes_the_payment(ExampleService.Language language)
            throws Exception {
        try (ExampleService service = ExampleService.start(language, directory.resolve("ledger"), "PAUSE_AFTER");
                GatewayJvm gateway = gateway(service)) {
            killInTheMiddle(service, gateway, "000000000002", "booked 000000000002");

            service.restart();
            Wire.Reply settled = settledReply(gateway, "000000000002");

            assertThat(settled.status()).isEqualTo(201);
            assertThat(settled.replayed()).isTrue();
            assertThat(settled.text()).contains("000000000002");
            assertThat(service.booked("000000000002")).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(ExampleService.Language.class)
    void is_killed_before_it_booked_and_the_look_up_frees_the_key(ExampleService.Language language) throws Exception {
        try (ExampleService service = ExampleService.start(language, directory.resolve("ledger"), "PAUSE_BEFORE");
                GatewayJvm gateway = gateway(service)) {
            killInTheMiddle(service, gateway, "000000000003", "received 000000000003");
            assertThat(service.booked("000000000003")).isZero();

            service.restart();
            Wire.Reply settled = settledReply(gateway, "000000000003");

            assertThat(settled.status()).isEqualTo(201);
            assertThat(settled.replayed()).isFalse();
            assertThat(service.booked("000000000003")).isEqualTo(1);
        }
    }

    /** The outcome is unknown, and stays so while the service is down. */
    private static void killInTheMiddle(ExampleService service, GatewayJvm gateway, String order, String when)
            throws Exception {
        ExecutorService client = Executors.newSingleThreadExecutor();
        try {
            Future<Wire.Reply> first = client.submit(() -> pay(gateway.port(), order));
            service.await(when);
            service.kill();
            assertUnknown(first.get(60, TimeUnit.SECONDS));
            assertUnknown(pay(gateway.port(), order));
        } finally {
            client.shutdownNow();
        }
    }

    private static void assertUnknown(Wire.Reply reply) {
        assertThat(reply.status()).isEqualTo(409);
        assertThat(reply.text()).contains("idempotency_outcome_unknown");
    }

    private static Wire.Reply settledReply(GatewayJvm gateway, String order) {
        return await().atMost(Duration.ofSeconds(60))
                .until(() -> pay(gateway.port(), order), reply -> reply.status() != 409);
    }
}
