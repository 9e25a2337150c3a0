package dev.semel.examples.accounts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The accounts under kill -9")
class AccountsIT {

    private static final int SENDERS = 4;
    private static final int COMMANDS_OF_EACH = 60;
    private static final int KILLS = 3;
    private static final Pattern READY = Pattern.compile("Accounts: (http://\\S+)");

    @TempDir
    Path directory;

    private Process program;
    private volatile URI address = URI.create("http://127.0.0.1:1");
    private int starts;

    @AfterEach
    void end() throws InterruptedException {
        program.destroyForcibly().waitFor();
    }

    @Test
    void execute_every_command_once_and_repeat_its_first_result() throws Exception {
        start();
        deliver(Client.create("create", "alice"));
        Map<String, String> results = new ConcurrentHashMap<>();
        ExecutorService threads = Executors.newFixedThreadPool(SENDERS);
        List<Future<?>> senders = new ArrayList<>();
        try {
            for (int sender = 0; sender < SENDERS; sender++) {
                String name = "s" + sender;
                senders.add(threads.submit(() -> {
                    for (int i = 0; i < COMMANDS_OF_EACH; i++) {
                        String command = Client.deposit(name + "-" + i, "alice", 1);
                        results.put(command, deliver(command).body());
                    }
                    return null;
                }));
            }
            for (int kill = 1; kill <= KILLS; kill++) {
                int share = SENDERS * COMMANDS_OF_EACH * kill / (KILLS + 1);
                await().atMost(Duration.ofMinutes(2)).until(() -> results.size() >= share);
                program.destroyForcibly().waitFor();
                start();
            }
            for (Future<?> sender : senders) {
                sender.get(3, TimeUnit.MINUTES);
            }
        } finally {
            threads.shutdownNow();
        }

        int commands = SENDERS * COMMANDS_OF_EACH;
        assertThat(new Client(address).balance("alice")).contains("\"balanceCents\":" + commands + "}");
        assertThat(results.values()).doesNotHaveDuplicates().hasSize(commands);
        try (Connection ledger = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("accounts.db"));
                ResultSet counted = ledger.createStatement()
                        .executeQuery("SELECT count(*) FROM entry WHERE status = 'deposited'")) {
            assertThat(counted.getInt(1)).isEqualTo(commands);
        }

        program.destroyForcibly().waitFor();
        start();
        for (Map.Entry<String, String> result : results.entrySet()) {
            assertThat(deliver(result.getKey()).body()).isEqualTo(result.getValue());
        }
        assertThat(new Client(address).balance("alice")).contains("\"balanceCents\":" + commands + "}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--port=99999", "--bogus", "--retention=soon", "--prune-every=PT0S"})
    void refuse_a_wrong_option(String option) throws Exception {
        program = process("wrong", option).start();

        assertThat(program.waitFor()).isEqualTo(2);
        assertThat(Files.readString(directory.resolve("wrong.err")))
                .startsWith("semel accounts: ")
                .hasLineCount(1);
    }

    /** Sends a command again until it has an answer, like a client that does not give up. */
    private HttpResponse<String> deliver(String command) {
        return await().atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofMillis(20))
                .ignoreExceptionsMatching(IOException.class::isInstance)
                .until(() -> new Client(address).send(command), answer -> answer.statusCode() == 200);
    }

    @Test
    void say_what_to_do_when_their_port_is_in_use() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = String.valueOf(other.getLocalPort());
            program = process("used", "--port", port, "--directory", directory.toString())
                    .start();

            assertThat(program.waitFor()).isEqualTo(1);
            assertThat(Files.readString(directory.resolve("used.err")))
                    .isEqualToIgnoringNewLines(
                            "semel accounts: port " + port + " is in use; choose another with --port (0 for any)");
        }
    }

    private void start() throws IOException {
        String name = "start-" + ++starts;
        program = process(name, "--port", "0", "--directory", directory.toString())
                .start();
        Path out = directory.resolve(name + ".out");
        address = await().atMost(Duration.ofMinutes(2))
                .until(
                        () -> {
                            Matcher ready = READY.matcher(Files.readString(out));
                            return ready.find() ? URI.create(ready.group(1)) : URI.create("");
                        },
                        URI::isAbsolute);
    }

    private ProcessBuilder process(String name, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dslf4j.internal.verbosity=ERROR"));
        if (Runtime.version().feature() >= 22) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), AccountsMain.class.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectOutput(directory.resolve(name + ".out").toFile())
                .redirectError(directory.resolve(name + ".err").toFile());
    }
}
