package dev.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Identity;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.testkit.contract.StoreVerbs;
import dev.semel.testsupport.servers.RedisCluster;
import dev.semel.testsupport.servers.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Several application processes on one cluster, while slots move and a primary is killed.
 *
 * <p>With {@code replicas=1} and one replica for each primary, every acknowledged grant and completion is on the replica that
 * is promoted, so no acknowledged record is lost. Without {@code replicas}, the last ones could be.
 */
@DisplayName("Redis Cluster: several processes, while slots move and a primary is killed")
class RedisClusterFaultsTest {

    private static final int SHARDS = 12;
    private static final int PROCESSES = 3;

    /** Enough executions to involve every process and every shard. */
    private static final int PROGRESS = 60;

    @TempDir
    Path directory;

    private RedisCluster cluster;
    private String uri;
    private final List<Process> processes = new ArrayList<>();

    @BeforeEach
    void start() throws IOException {
        cluster = RedisCluster.start(3, 1);
        uri = cluster.uri() + "?replicas=1&shards=" + SHARDS;
        for (int i = 0; i < PROCESSES; i++) {
            processes.add(new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx128m",
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            ClusterWorker.class.getName(),
                            uri,
                            ledger().toString(),
                            answers().toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start());
        }
    }

    @AfterEach
    void stop() {
        processes.forEach(Process::destroyForcibly);
        cluster.close();
    }

    private Path ledger() {
        return directory.resolve("ledger");
    }

    private Path answers() {
        return directory.resolve("answers");
    }

    private static List<String> lines(Path file) {
        try {
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void awaitProgress() {
        int before = lines(ledger()).size();
        Calls.await("executions", () -> lines(ledger()).size() >= before + PROGRESS);
    }

    @Test
    @DisplayName("I1, I2, I3: one execution and one answer for each key, and a record for every executed key")
    void slots_move_and_a_primary_is_killed() throws Exception {
        awaitProgress();
        for (int shard = 0; shard < SHARDS; shard += 2) {
            move(shard);
        }
        awaitProgress();

        RedisServer lost = cluster.primaries().get(0);
        lost.kill();
        awaitPromoted(cluster.replicas().get(0));
        lost.restart();
        awaitProgress();
        endProcesses();

        Map<String, Long> executions = lines(ledger()).stream()
                .collect(Collectors.groupingBy(line -> line.split(" ", -1)[0], Collectors.counting()));
        assertThat(executions)
                .hasSizeGreaterThan(3 * PROGRESS / 2)
                .allSatisfy((key, count) ->
                        assertThat(count).as("executions of " + key).isEqualTo(1));
        Map<String, Set<String>> seen = lines(answers()).stream()
                .collect(Collectors.groupingBy(
                        line -> line.split(" ", -1)[0],
                        Collectors.mapping(line -> line.split(" ", -1)[1], Collectors.toSet())));
        assertThat(seen)
                .allSatisfy((key, receipts) ->
                        assertThat(receipts).as("answers of " + key).hasSize(1));
        try (RedisStore store = RedisStore.open(uri)) {
            assertThat(executions.keySet())
                    .allSatisfy(key -> assertThat(StoreVerbs.await(store.find(Identity.of("acme", key))))
                            .as("record of " + key)
                            .isPresent());
            for (int i = 0; i < 10 * SHARDS; i++) {
                assertThat(Calls.complete(store, Calls.granted(store, "afterwards" + i)))
                        .isInstanceOf(SettleAnswer.Settled.class);
            }
        }
    }

    /** Moves a shard's slot to another primary, once it contains a record. */
    private void move(int shard) {
        String slot = String.valueOf(cluster.primaries().get(0).call("CLUSTER", "KEYSLOT", "semel:{" + shard + "}"));
        Calls.await("a record in the slot", () -> ownerOf(slot).isPresent());
        RedisServer from = ownerOf(slot).orElseThrow();
        int next = (cluster.primaries().indexOf(from) + 1) % cluster.primaries().size();
        cluster.move(Integer.parseInt(slot), from, cluster.primaries().get(next));
    }

    private Optional<RedisServer> ownerOf(String slot) {
        return cluster.primaries().stream().filter(node -> has(node, slot)).findFirst();
    }

    private static boolean has(RedisServer node, String slot) {
        return !String.valueOf(node.call("CLUSTER", "GETKEYSINSLOT", slot, "1")).equals("[]");
    }

    private static void awaitPromoted(RedisServer replica) {
        Calls.await("promotion", () -> replica.info("replication", "role").equals("master"));
    }

    private void endProcesses() throws Exception {
        for (Process process : processes) {
            process.getOutputStream().close();
        }
        for (Process process : processes) {
            assertThat(process.waitFor()).isZero();
        }
    }
}
