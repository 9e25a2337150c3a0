package dev.semel.examples.federation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.messaging.federation.FederationReply;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Two banks in two processes")
class FederationIT {

    private static final int SENDERS = 3;
    private static final int MESSAGES_OF_EACH = 40;
    private static final Pattern READY = Pattern.compile("bank-b: (http://\\S+)");

    @TempDir
    Path directory;

    private final List<Process> processes = new ArrayList<>();
    private volatile URI bank = URI.create("http://127.0.0.1:1");

    @AfterEach
    void end() throws InterruptedException {
        for (Process process : processes) {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void show_duplicates_lost_answers_and_a_killed_receiver_in_the_demo() throws Exception {
        Path out = directory.resolve("demo.out");
        Process demo = process(out).start();
        processes.add(demo);

        assertThat(demo.waitFor(3, TimeUnit.MINUTES)).isTrue();
        String said = Files.readString(out);
        assertThat(demo.exitValue()).as(said).isZero();
        assertThat(said.lines().map(line -> line.replaceAll("\\s+", " ").strip()))
                .filteredOn(line -> line.matches(".* sent \\dx .*"))
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("a message sent 1x").contains("\"duplicate\":false"),
                        line -> assertThat(line).startsWith("the same message").contains("\"duplicate\":true"),
                        line -> assertThat(line).startsWith("its id with").contains("\"id_reused\""),
                        line -> assertThat(line).contains("lost sent 2x", "\"duplicate\":true"),
                        line -> assertThat(line).contains("\"failed\"", "\"duplicate\":false"),
                        line -> assertThat(line).startsWith("the first").contains("5000", "\"duplicate\":true"),
                        line -> assertThat(line).startsWith("the failed").contains("\"failed\"", "\"duplicate\":true"));
        assertThat(said).contains("bank-b was killed").endsWith("\n").contains("bob has {\"balanceCents\":5070}");
    }

    @Test
    void credit_every_message_once_although_the_receiver_is_killed() throws Exception {
        Process running = startBank();
        AtomicInteger done = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(SENDERS);
        try {
            List<Future<?>> senders = new ArrayList<>();
            for (int i = 0; i < SENDERS; i++) {
                String name = "s" + i;
                senders.add(threads.submit(() -> {
                    for (int message = 0; message < MESSAGES_OF_EACH; message++) {
                        assertThat(deliver(name + "-" + message)).isInstanceOf(FederationReply.Done.class);
                        done.incrementAndGet();
                    }
                    return null;
                }));
            }
            for (int share : List.of(SENDERS * MESSAGES_OF_EACH / 3, SENDERS * MESSAGES_OF_EACH * 2 / 3)) {
                await().atMost(Duration.ofMinutes(2)).until(() -> done.get() >= share);
                running.destroyForcibly().waitFor();
                running = startBank();
            }
            for (Future<?> each : senders) {
                each.get(3, TimeUnit.MINUTES);
            }
        } finally {
            threads.shutdownNow();
        }

        int messages = SENDERS * MESSAGES_OF_EACH;
        assertThat(new Sender("bank-a", bank).balance("bob")).isEqualTo("{\"balanceCents\":" + messages + "}");
        for (int message = 0; message < MESSAGES_OF_EACH; message++) {
            assertThat(((FederationReply.Done) deliver("s0-" + message)).duplicate())
                    .isTrue();
        }
        assertThat(new Sender("bank-a", bank).balance("bob")).isEqualTo("{\"balanceCents\":" + messages + "}");
    }

    @Test
    void answer_a_sender_that_is_a_program() throws Exception {
        startBank();
        Path out = directory.resolve("send.out");
        for (String duplicate : List.of("false", "true")) {
            Process send =
                    process(out, "send", "--to", bank.toString(), "--id", "t-1").start();
            processes.add(send);

            assertThat(send.waitFor()).isZero();
            assertThat(Files.readString(out))
                    .isEqualToIgnoringNewLines(
                            "{\"status\":\"done\",\"result\":{\"account\":\"bob\",\"creditedCents\":5000},\"duplicate\":"
                                    + duplicate + "}");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"dance", "--bogus", "send", "receive --port many"})
    void refuse_a_wrong_command_line(String line) throws Exception {
        Process refused = process(directory.resolve("wrong.out"), line.split(" "))
                .redirectError(directory.resolve("wrong.err").toFile())
                .start();
        processes.add(refused);

        assertThat(refused.waitFor()).isEqualTo(2);
        assertThat(Files.readString(directory.resolve("wrong.err")))
                .startsWith("semel federation: ")
                .hasLineCount(1);
    }

    @Test
    void say_what_to_do_when_their_port_is_in_use() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Process refused = process(
                            directory.resolve("used.out"),
                            "receive",
                            "--port",
                            String.valueOf(other.getLocalPort()),
                            "--directory",
                            directory.toString())
                    .redirectError(directory.resolve("used.err").toFile())
                    .start();
            processes.add(refused);

            assertThat(refused.waitFor()).isEqualTo(1);
            assertThat(Files.readString(directory.resolve("used.err")))
                    .isEqualToIgnoringNewLines("semel federation: port " + other.getLocalPort()
                            + " is in use; choose another with --port (0 for any)");
        }
    }

    /** Finds the receiver's address anew for each delivery: after a restart it has another port. */
    private FederationReply deliver(String id) {
        return await().atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofMillis(20))
                .ignoreExceptionsMatching(IOException.class::isInstance)
                .until(
                        () -> new Sender("bank-a", bank).deliver(id, "credit", Demo.credit("bob", 1)),
                        reply -> !(reply instanceof FederationReply.Later));
    }

    private Process startBank() throws IOException {
        Path out = directory.resolve("bank-" + processes.size() + ".out");
        Process started = process(
                        out,
                        "receive",
                        "--port",
                        "0",
                        "--directory",
                        directory.resolve("bank").toString())
                .start();
        processes.add(started);
        bank = await().atMost(Duration.ofMinutes(2))
                .until(
                        () -> {
                            Matcher ready = READY.matcher(Files.readString(out));
                            return ready.find() ? URI.create(ready.group(1)) : URI.create("");
                        },
                        URI::isAbsolute);
        return started;
    }

    private ProcessBuilder process(Path out, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dslf4j.internal.verbosity=ERROR"));
        if (Runtime.version().feature() >= 22) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), FederationMain.class.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(directory.resolve("err").toFile());
    }
}
