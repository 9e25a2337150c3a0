package dev.semel.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.testsupport.servers.RedisServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import picocli.CommandLine;

@DisplayName("The command bench")
@Timeout(300)
class BenchTest {

    /** Enough to see that everything runs; what it measures means nothing. */
    private static final List<String> TINY = List.of("--seconds", "0.03", "--rounds", "1", "--callers", "2");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path directory;

    private int execute(String... arguments) {
        CommandLine command = Bench.commandLine();
        command.setOut(new PrintWriter(out));
        command.setErr(new PrintWriter(err));
        return command.execute(arguments);
    }

    private void measure(String store, String suite, String records) {
        String[] chosen = {
            "--store", store, "--suite", suite, "--records", records, "--out", directory.toString(),
        };
        String[] arguments =
                Stream.concat(TINY.stream(), List.of(chosen).stream()).toArray(String[]::new);
        assertThat(execute(arguments)).as(() -> err.toString()).isZero();
    }

    private List<String> csv(String suite) throws Exception {
        List<String> lines = Files.readAllLines(directory.resolve(suite + ".csv"));
        assertThat(lines.get(0)).isEqualTo("suite,benchmark,contender,round,metric,value,unit");
        assertThat(lines.subList(1, lines.size()))
                .isNotEmpty()
                .allSatisfy(line -> assertThat(
                                line.replaceAll("\"[^\"]*\"", "quoted").split(",", -1))
                        .hasSize(7));
        return lines;
    }

    private Document svg(String suite) throws Exception {
        Document picture = DocumentBuilderFactory.newDefaultInstance()
                .newDocumentBuilder()
                .parse(directory.resolve(suite + ".svg").toFile());
        assertThat(picture.getDocumentElement().getTagName()).isEqualTo("svg");
        return picture;
    }

    @Test
    void measures_stores_on_postgresql() throws Exception {
        measure("postgresql", "store", "20");

        assertThat(out.toString())
                .contains("pairs, 2 callers", "claims, 2 callers", "replays, 2 callers", "latency of pairs at")
                .contains("serializable", "insert-on-conflict", "camel", "spring-integration", "domain insert alone")
                .contains("targets", "not measured", "Written: ");
        assertThat(csv("store"))
                .anyMatch(line -> line.contains("semel async"))
                .anyMatch(line -> line.contains("p99.9"));
        assertThat(svg("store").getElementsByTagName("rect").getLength()).isGreaterThan(10);
        assertThat(directory.resolve("store.txt")).content().contains("fsync=on", "synchronous_commit=on");
    }

    @Test
    void can_have_a_disk_that_takes_longer() throws Exception {
        String[] arguments = {
            "--sync-delay",
            "50",
            "--suite",
            "store.claims",
            "--seconds",
            "0.03",
            "--rounds",
            "1",
            "--callers",
            "1",
            "--out",
            directory.toString(),
        };
        assertThat(execute(arguments)).as(() -> err.toString()).isZero();
        assertThat(directory.resolve("store.txt")).content().contains("commit_delay=50");
    }

    @Test
    void measures_growth_on_postgresql() throws Exception {
        measure("postgresql", "growth", "50,600");

        assertThat(out.toString())
                .contains("pairs with existing records", "50 records", "600 records")
                .contains("not pruning", "pruning as much as comes in", "pruning without a pause")
                .contains("bytes per record", "targets");
        assertThat(csv("growth")).anyMatch(line -> line.contains("bytes per record"));
        svg("growth");
    }

    @ParameterizedTest
    @ValueSource(strings = {"postgresql", "sqlite"})
    void measures_searches_and_what_their_index_costs(String store) throws Exception {
        measure(store, "search", "2000");

        assertThat(out.toString())
                .contains(
                        "pages of searches among 2,000 records",
                        "with the index",
                        "processor time of a pair",
                        "targets")
                .containsPattern("all records +\\S+ +\\S+ +50 +\\S+ +yes")
                .containsPattern("state unknown +\\S+ +\\S+ +4 +4 +yes")
                .containsPattern("dead letters, oldest first +\\S+ +\\S+ +2 +4 +yes")
                .containsPattern("scope +\\S+ +\\S+ +50 ")
                .containsPattern("key +\\S+ +\\S+ +1 ")
                .containsPattern("operation that no record has +\\S+ +\\S+ +0 +2,000 +yes");
        assertThat(csv("search"))
                .anyMatch(line -> line.contains("state expired"))
                .anyMatch(line -> line.contains("processor time"));
        svg("search");
    }

    @Test
    void measures_the_inbox_on_postgresql() throws Exception {
        measure("postgresql", "inbox", "600");

        assertThat(out.toString()).contains("new messages", "duplicates", "one at a time", "batches of 500");
        assertThat(csv("inbox")).anyMatch(line -> line.contains("batches of 500"));
        svg("inbox");
    }

    @Test
    void measures_what_redis_in_front_of_postgresql_changes() throws Exception {
        measure("postgresql", "tiered", "50");

        assertThat(out.toString())
                .contains("pairs, 2 callers", "replays, 2 callers", "tiered + memory", "tiered async");
        assertThat(csv("tiered")).anyMatch(line -> line.contains("tiered async"));
        svg("tiered");
    }

    @Test
    void measures_stores_and_growth_on_sqlite_and_leaves_nothing() throws Exception {
        Path file = directory.resolve("semel.db");

        measure("sqlite:" + file, "store,growth", "20,600");

        assertThat(out.toString()).contains("pairs, 2 callers", "orders in a transaction", "20 records");
        csv("store");
        csv("growth");
        svg("store");
        svg("growth");
        try (var files = Files.list(directory)) {
            assertThat(files.map(Path::getFileName).map(Path::toString))
                    .containsExactlyInAnyOrder(
                            "store.txt", "store.csv", "store.svg", "growth.txt", "growth.csv", "growth.svg");
        }
    }

    @Test
    void measures_stores_and_growth_on_mariadb() throws Exception {
        measure("mariadb", "store,growth", "20,600");

        assertThat(out.toString())
                .contains("pairs, 2 callers", "orders in a transaction", "camel", "spring-integration", "INSERT IGNORE")
                .contains("600 records", "pruning without a pause", "bytes per record")
                .doesNotContain("bare loop", "targets");
        csv("store");
        csv("growth");
        assertThat(directory.resolve("store.txt"))
                .content()
                .contains("MariaDB", "innodb_flush_log_at_trx_commit=1", "innodb_doublewrite=ON", "log_bin=OFF");
    }

    @Test
    void measures_redis() throws Exception {
        measure("redis", "redis", "50");

        assertThat(out.toString())
                .contains("pairs, 2 callers", "replays, 2 callers", "bytes per record", "targets")
                .contains("bare evalsha async", "bare get async", "jdempotent", "spring-integration + put");
        assertThat(csv("redis")).anyMatch(line -> line.contains("bytes per record"));
        svg("redis");
        assertThat(directory.resolve("redis.txt")).content().contains("appendonly=yes", "appendfsync=everysec");
    }

    @Test
    void measures_a_redis_that_runs_and_leaves_nothing_there() throws Exception {
        try (RedisServer server = RedisServer.start()) {
            String[] arguments = {
                "--store",
                server.uri(),
                "--suite",
                "redis.pairs",
                "--seconds",
                "0.03",
                "--rounds",
                "1",
                "--callers",
                "2",
                "--records",
                "20",
                "--out",
                directory.toString(),
            };
            assertThat(execute(arguments)).as(() -> err.toString()).isZero();
            assertThat(server.call("DBSIZE")).isEqualTo(0L);
        }
    }

    @Test
    void lists_its_options_and_suites() {
        assertThat(execute("--help")).isZero();
        assertThat(out.toString())
                .contains("--store", "--seconds", "--callers", "--suite", "--rounds", "--records", "--out")
                .contains("store", "growth");
    }

    @Test
    void says_what_is_wrong_with_its_options() {
        assertRefused("there is no suite or part speed", "--suite", "speed");
        assertRefused("there is no suite or part store.speed", "--suite", "growth,store.speed");
        assertRefused("--seconds must be above 0", "--seconds", "0");
        assertRefused("--seconds", "--seconds", "soon");
        assertRefused("--rounds must be from 1", "--rounds", "0");
        assertRefused("--callers must be from 1", "--callers", "16,0");
        assertRefused("--records must be from 1", "--records", "-5");
        assertRefused("--store must be postgresql, mariadb, sqlite or redis", "--store", "oracle");
        assertRefused("--store must be postgresql, mariadb, sqlite or redis", "--store", "memory:");
        assertRefused("only one Redis is measured", "--store", "redis-cluster://localhost");
        assertRefused("the suite growth does not run on this --store", "--store", "redis", "--suite", "growth");
        assertRefused("the suite redis does not run on postgresql", "--suite", "store,redis");
        assertRefused("two slashes", "--store", "postgresql:nowhere");
        assertRefused("names no database", "--store", "mysql://localhost");
    }

    @Test
    void refuses_to_write_into_a_file() throws Exception {
        Path file = Files.writeString(directory.resolve("results"), "precious");

        assertRefused("is a file", "--out", file.toString());
    }

    @Test
    void exits_with_1_when_the_server_cannot_be_reached() {
        String unreachable = "postgresql://localhost:1/none?connectTimeout=1";

        assertThat(execute("--store", unreachable, "--out", directory.toString()))
                .isEqualTo(1);
        assertThat(err.toString()).contains("semel bench: ");
    }

    private void assertRefused(String message, String... arguments) {
        err.getBuffer().setLength(0);
        assertThat(execute(arguments)).as(String.join(" ", arguments)).isEqualTo(2);
        assertThat(err.toString()).contains(message).contains("--help");
    }
}
