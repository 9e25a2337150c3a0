package dev.semel.examples.payments;

import static dev.semel.examples.payments.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.server.check.Checker;
import dev.semel.server.check.TargetResult;
import dev.semel.server.check.oracle.GetOracle;
import dev.semel.server.check.rules.CheckSettings;
import dev.semel.server.check.rules.Level;
import dev.semel.server.check.rules.Outcome;
import dev.semel.server.check.rules.Rules;
import dev.semel.server.check.subject.Target;
import dev.semel.server.check.wire.Budget;
import dev.semel.server.check.wire.CheckTime;
import dev.semel.server.check.wire.Header;
import dev.semel.server.check.wire.WireClient;
import dev.semel.server.check.wire.WireOptions;
import dev.semel.testsupport.servers.RedisServer;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The demo as a program")
class DemoIT {

    @TempDir
    Path directory;

    @Test
    void shows_every_outcome_and_the_ledger_and_stops_on_SIGTERM() {
        try (Program demo = demo()) {
            URI base = demo.awaitReady("Semel demo is ready");

            assertThat(demo.output())
                    .containsPattern("a payment of 19\\.99 +executed 201 +1 charge\\R")
                    .containsPattern("the client retries +replayed 201 +1 charge\\R")
                    .containsPattern("same key, but 29\\.99 +refused 422 +1 charge\\R")
                    .containsPattern("same key, another account +executed 201 +1 charge\\R")
                    .containsPattern("8 times at the same moment +1 executed 201, .* +1 charge\\R")
                    .containsPattern("a card that is declined +executed 402 +0 charges\\R")
                    .containsPattern("the client retries +replayed 402 +0 charges\\R")
                    .containsPattern("without a key +refused 400 +0 charges\\R");
            assertThat(Api.acme(base).pay("k1", Api.ORDER).statusCode()).isEqualTo(201);

            demo.terminate();
            assertThat(demo.errors()).isEmpty();
        }
    }

    @Test
    void shows_the_health_of_its_store_and_its_metrics_to_this_machine_alone() throws Exception {
        try (Program demo = demo()) {
            URI base = demo.awaitReady("Semel demo is ready");
            HttpClient client = HttpClient.newHttpClient();

            for (String path : List.of("/actuator/health", "/actuator/prometheus")) {
                await().untilAsserted(() -> assertThat(demo.output()).contains("curl " + base + path + "\n"));
            }
            await().untilAsserted(
                            () -> assertThat(demo.output()).contains("Console: " + base.resolve("/semel/console/")));
            assertThat(get(client, base.resolve("/semel/api/v1/session")).body())
                    .contains("\"role\":\"administrator\"", "\"operationsKnown\":true");
            HttpResponse<String> health = get(client, base.resolve("/actuator/health"));
            assertThat(health.statusCode()).isEqualTo(200);
            assertThat(health.body()).containsPattern("\"semel\":\\{\"details\":\\{[^}]*}[^}]*\"status\":\"UP\"");
            assertThat(get(client, base.resolve("/actuator/prometheus")).body())
                    .containsPattern("api_idempotency_reserve_total\\{.*operation=\"create-payment\".*} [1-9]");
            assertThat(get(client, base.resolve("/actuator/env")).statusCode()).isEqualTo(404);
            assertThatThrownBy(() -> new Socket("127.0.0.2", base.getPort()).close())
                    .isInstanceOf(ConnectException.class);
        }
    }

    private static HttpResponse<String> get(HttpClient client, URI address) throws Exception {
        return client.send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void shows_how_payments_with_a_lost_answer_are_settled_and_keeps_every_promise_that_semel_check_tests() {
        try (Program demo = demo()) {
            URI base = demo.awaitReady("Semel demo is ready");

            await().untilAsserted(() -> assertThat(withoutLog(demo.output()))
                    .containsPattern("charged, and no answer +unknown 409 +1 charge\\R"
                            + " +the client kept retrying +replayed 201 +1 charge\\R"
                            + " +settled by resolver:create-payment: succeeded as ch_")
                    .containsPattern("charged 10 s too late +unknown 409 +[01] charges?\\R"
                            + " +the client kept retrying +replayed 201 +1 charge\\R"
                            + " +settled by provider-webhook: succeeded as ch_"));

            // Now nothing but the check has an effect.
            String ledger = demo.output().replaceFirst("(?s).*curl (http://\\S+/ledger).*", "$1");
            assertKeepsEveryPromise(base, ledger);
        }
    }

    /** By {@code semel check}, which counts the charges in the provider's ledger. */
    private static void assertKeepsEveryPromise(URI base, String ledger) {
        CheckTime time = new CheckTime();
        Target payment = new Target(
                "create-payment",
                "POST",
                base.resolve("/payments").toString(),
                List.of(
                        new Header("Authorization", "Bearer sk_test_acme"),
                        new Header("Content-Type", "application/json")),
                "{\"customerId\":\"cus_{{int}}\",\"amountCents\":1999,\"currency\":\"EUR\"}",
                Target.Bodies.NONE,
                null);
        CheckSettings settings = CheckSettings.defaults(1)
                .withAccount(List.of(new Header("Authorization", "Bearer sk_test_globex")))
                .withWaits(
                        new CheckSettings.Waits(Duration.ofMillis(20), Duration.ofMillis(20), Duration.ofSeconds(30)));
        try (WireClient client =
                new WireClient(new Budget(2000, Duration.ZERO, time), time, WireOptions.here(Duration.ofSeconds(60)))) {
            TargetResult result =
                    new Checker(settings, Rules.all(), client).check(payment, GetOracle.of(ledger, List.of()));

            assertThat(result.obstacle()).isNull();
            assertThat(result.broken()).isEmpty();
            assertThat(result.of(Level.MUST))
                    .noneMatch(each -> each.outcome() instanceof Outcome.CouldNotTell)
                    .filteredOn(each -> each.outcome() instanceof Outcome.Holds)
                    .hasSizeGreaterThan(10);
        }
    }

    /** Warnings of unknown outcomes may stand between any two lines. */
    private static String withoutLog(String output) {
        return output.replaceAll("(?m)^\\d\\d:\\d\\d:\\d\\d [A-Z]+ .*\\R", "");
    }

    @Test
    void runs_its_traffic_again_on_the_data_of_an_earlier_run() {
        String key = "kept";
        HttpResponse<String> first;
        try (Program demo = demo()) {
            first = Api.acme(demo.awaitReady("Semel demo is ready")).pay(key, Api.ORDER);
        }
        try (Program again = demo()) {
            HttpResponse<String> second =
                    Api.acme(again.awaitReady("Semel demo is ready")).pay(key, Api.ORDER);

            assertThat(again.output()).containsPattern("a payment of 19\\.99 +executed 201 +1 charge\\R");
            assertThat(second.body()).isEqualTo(first.body());
            assertThat(Api.isReplay(second)).isTrue();
        }
    }

    @Test
    void reports_in_one_line_that_its_port_is_in_use() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = String.valueOf(taken.getLocalPort());

            assertThat(refusal(1, "--port", port, "--provider-port", "0"))
                    .isEqualTo("demo: port " + port + " is in use; choose another with --port (0 for any)\n");
            assertThat(refusal(1, "--port", "0", "--provider-port", port))
                    .isEqualTo("demo: port " + port + " is in use; choose another with --provider-port (0 for any)\n");
        }
    }

    @Test
    void reports_in_one_line_that_another_demo_uses_its_data() {
        try (Program demo = demo()) {
            demo.awaitReady("Semel demo is ready");

            assertThat(refusal(1, "--port", "0", "--provider-port", "0"))
                    .contains("ledger.jsonl is in use by another provider");
        }
    }

    @Test
    void reports_in_one_line_that_the_store_cannot_be_reached() throws IOException {
        int unused;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            unused = socket.getLocalPort();
        }

        assertThat(refusal(
                        1,
                        "--port",
                        "0",
                        "--provider-port",
                        "0",
                        "--store",
                        "postgresql://u:secret@127.0.0.1:" + unused + "/x"))
                .contains("127.0.0.1:" + unused)
                .doesNotContain("secret");
    }

    @Test
    void keeps_its_records_in_redis_where_another_run_finds_them() {
        try (RedisServer redis = RedisServer.start()) {
            HttpResponse<String> first;
            try (Program demo = demo("--store", redis.uri())) {
                first = Api.acme(demo.awaitReady("Semel demo is ready")).pay("kept", Api.ORDER);
                assertThat(demo.output()).contains("Without a database there are no orders");
                assertThat(demo.errors()).isEmpty();
            }
            try (Program again = demo("--store", redis.uri(), "--no-traffic")) {
                HttpResponse<String> second =
                        Api.acme(again.awaitReady("Semel demo is ready")).pay("kept", Api.ORDER);

                assertThat(second.body()).isEqualTo(first.body());
                assertThat(Api.isReplay(second)).isTrue();
            }
        }
    }

    @Test
    void works_behind_a_redis_and_without_it() {
        try (RedisServer redis = RedisServer.start();
                Program demo = demo("--tier", redis.uri())) {
            Api api = Api.acme(demo.awaitReady("Semel demo is ready"));
            HttpResponse<String> first = api.pay("kept", Api.ORDER);
            assertThat(Api.isReplay(api.pay("kept", Api.ORDER))).isTrue();
            assertThat(redis.call("DBSIZE")).isNotEqualTo(0L);

            redis.kill();

            assertThat(api.pay("kept", Api.ORDER).body()).isEqualTo(first.body());
            assertThat(demo.output()).contains("/orders");
        }
    }

    @Test
    void reports_in_one_line_that_redis_would_lose_records() {
        try (RedisServer careless = RedisServer.start("--appendonly", "no")) {
            assertThat(refusal(1, "--port", "0", "--provider-port", "0", "--store", careless.uri()))
                    .contains("the store " + careless.uri() + "/0 cannot be used: ", "set appendonly to yes");
        }
    }

    @Test
    void reports_in_one_line_what_is_wrong_with_its_options() {
        assertThat(refusal(2, "--colour")).contains("--colour");
        assertThat(refusal(2, "--port", "many")).contains("--port", "many");
        assertThat(refusal(2, "--port", "70000")).contains("--port is 70000, it must be between 0 and 65535");
        assertThat(refusal(2, "--lease", "soon")).contains("'soon' is not a duration");
        assertThat(refusal(2, "--lease", "1ms")).contains("--lease: ", "PT0.001S");
        assertThat(refusal(2, "--store", "paper:napkin")).contains("--store: ", "sqlite:PATH", "redis://");
        assertThat(refusal(2, "--store", "redis://u:secret@h:port"))
                .contains("--store: ", "malformed host")
                .doesNotContain("secret");
        assertThat(refusal(2, "--tier", "mysql://u:secret@h/db"))
                .contains("--tier: ", "redis://")
                .doesNotContain("secret");
        assertThat(refusal(2, "--store", "redis://h", "--tier", "redis://h")).contains("--tier: ", "a database");
    }

    @Test
    void reports_in_one_line_that_its_data_directory_is_not_a_directory() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "");

        try (Program demo = Program.start(Demo.class, "--data", file.toString())) {
            assertThat(demo.awaitExit()).isEqualTo(1);
            assertThat(demo.errors())
                    .startsWith("demo: the data directory " + file + " cannot be created")
                    .hasLineCount(1);
        }
    }

    @Test
    void reports_in_one_line_that_the_data_directory_cannot_hold_the_database() {
        try (Program demo =
                Program.start(Demo.class, "--data", directory.resolve("what?").toString())) {
            assertThat(demo.awaitExit()).isEqualTo(2);
            assertThat(demo.errors())
                    .startsWith("demo: --data: ")
                    .contains("question mark")
                    .hasLineCount(1);
        }
    }

    private Program demo(String... options) {
        List<String> arguments = new ArrayList<>(List.of(
                "--port",
                "0",
                "--provider-port",
                "0",
                "--data",
                directory.resolve("data").toString()));
        arguments.addAll(List.of(options));
        return Program.start(Demo.class, arguments.toArray(String[]::new));
    }

    private String refusal(int status, String... arguments) {
        List<String> all =
                new ArrayList<>(List.of("--data", directory.resolve("data").toString()));
        all.addAll(List.of(arguments));
        try (Program demo = Program.start(Demo.class, all.toArray(String[]::new))) {
            assertThat(demo.awaitExit()).isEqualTo(status);
            assertThat(demo.output()).isEmpty();
            assertThat(demo.errors()).startsWith("demo: ").hasLineCount(1);
            return demo.errors();
        }
    }
}
