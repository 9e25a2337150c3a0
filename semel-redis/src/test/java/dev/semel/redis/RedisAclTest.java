package dev.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.Retention.Expiry;
import dev.semel.StoreException;
import dev.semel.reconcile.AuditEntry.Change;
import dev.semel.reconcile.RecordSearch;
import dev.semel.reconcile.UnknownOutcomes.UnknownFilter;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.RenewAnswer;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.spi.RequestVerbs.StepAnswer;
import dev.semel.spi.UpkeepVerbs.Reschedule;
import dev.semel.testkit.contract.StoreVerbs;
import dev.semel.testsupport.servers.RedisCluster;
import dev.semel.testsupport.servers.RedisServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Redis: a user with only the rights that Semel needs")
class RedisAclTest {

    private static final Path DOCUMENTED = Path.of("..", "docs", "reference", "redis.md");

    private static final String RULE_BEGINS = "ACL SETUSER semel ";

    private static final String PASSWORD = "correct-horse";

    private RedisServer server;
    private RedisServer replica;

    @BeforeEach
    void start() throws Exception {
        server = RedisServer.start();
        replica = RedisServer.startReplicaOf(server);
        server.call(rule().toArray(String[]::new));
    }

    @AfterEach
    void stop() {
        replica.close();
        server.close();
    }

    /** The rule from the documentation, with a password. */
    private static List<String> rule() throws Exception {
        try (Stream<String> lines = Files.lines(DOCUMENTED)) {
            String line = lines.filter(text -> text.startsWith(RULE_BEGINS))
                    .findFirst()
                    .orElseThrow();
            return List.of(line.replace(">PASSWORD", ">" + PASSWORD).split(" ", -1));
        }
    }

    private String uri(String password) {
        return server.uri().replace("redis://", "redis://semel:" + password + "@");
    }

    @Test
    @DisplayName("semel schema redis shows the documented rule")
    void shown() throws Exception {
        String documented = String.join(" ", rule()).replace(PASSWORD, "PASSWORD");
        assertThat(RedisKeys.description().replaceAll("\\s+", " ")).contains(documented);
    }

    @Test
    @DisplayName("the documented rule is enough for every verb")
    void enough() {
        try (RedisStore store = RedisStore.open(uri(PASSWORD) + "?replicas=1&timeoutMillis=10000")) {
            everyVerb(store);
        }
    }

    @Test
    @DisplayName("every right in it is needed")
    void not_too_much() throws Exception {
        for (String right : rule()) {
            if (!right.startsWith("+")) {
                continue;
            }
            server.call("FLUSHALL");
            server.call("ACL", "SETUSER", "semel", "-" + right.substring(1));
            assertThatThrownBy(() -> {
                        try (RedisStore store = RedisStore.open(uri(PASSWORD) + "?replicas=1&timeoutMillis=10000")) {
                            everyVerb(store);
                        }
                    })
                    .as("without " + right)
                    .hasMessageContaining("docs/reference/redis.md has the ACL rule");
            server.call("ACL", "SETUSER", "semel", right);
        }
    }

    private void everyVerb(RedisStore store) {
        Lease lease = Calls.granted(store, "k");
        assertThat(StoreVerbs.await(store.renew(lease, StoreVerbs.LEASE))).isEqualTo(RenewAnswer.RENEWED);
        assertThat(StoreVerbs.await(store.step(lease, "s", StoreVerbs.response("r"))))
                .isEqualTo(StepAnswer.RECORDED);
        settle(store, lease, StoreVerbs.unknown(), StoreVerbs.RETENTION);
        assertThat(store.listUnknown(UnknownFilter.ALL, 10)).hasSize(1);
        assertThat(store.due(StoreVerbs.OPERATION, 10, StoreVerbs.HOLD)).hasSize(1);
        assertThat(store.reschedule(lease, new Reschedule.RetryAfter(1, Duration.ofHours(1)), StoreVerbs.EVIDENCE))
                .isInstanceOf(SettleAnswer.Settled.class);
        assertThat(store.reconcile(lease, StoreVerbs.completed("done"), StoreVerbs.EVIDENCE, StoreVerbs.RETENTION))
                .isInstanceOf(SettleAnswer.Settled.class);
        assertThat(StoreVerbs.await(store.claim(StoreVerbs.request("k")))).isInstanceOf(ClaimAnswer.Recorded.class);
        assertThat(store.history(lease.identity())).isNotEmpty();
        assertThat(store.search(RecordSearch.newest(RecordSearch.Filter.ALL, 10))
                        .records())
                .hasSize(1);
        assertThat(store.annotate(lease, Change.VIEWED, StoreVerbs.EVIDENCE)).isInstanceOf(SettleAnswer.Settled.class);
        assertThat(store.forget(lease, StoreVerbs.EVIDENCE)).isInstanceOf(SettleAnswer.Settled.class);
        settle(store, Calls.granted(store, "deleted"), StoreVerbs.notExecuted(), Duration.ofMillis(1));
        settle(store, Calls.granted(store, "marked"), StoreVerbs.completed("done"), Duration.ofMillis(1));
        Calls.granted(
                store,
                new ClaimRequest(
                        StoreVerbs.id("swept"),
                        StoreVerbs.OPERATION,
                        StoreVerbs.FINGERPRINT,
                        Duration.ofMillis(1),
                        false,
                        "h"));
        Calls.await("pruning", () -> store.prune(1, Expiry.MARK) == 1);
        Calls.await("deletion", () -> store.prune(2, Expiry.DELETE) > 0);
        Calls.await("the sweeper", () -> !store.sweep(1).isEmpty());
    }

    private static void settle(RedisStore store, Lease lease, Outcome outcome, Duration retention) {
        assertThat(StoreVerbs.await(store.settle(lease, outcome, retention))).isInstanceOf(SettleAnswer.Settled.class);
    }

    @Test
    @DisplayName("in a cluster, the documented additional rights are enough")
    void enough_in_a_cluster() throws Exception {
        List<String> rights = new ArrayList<>(rule());
        rights.addAll(clusterRights());
        try (RedisCluster cluster = RedisCluster.start(3, 0)) {
            cluster.primaries().forEach(node -> node.call(rights.toArray(String[]::new)));
            String uri = cluster.uri().replace("redis-cluster://", "redis-cluster://semel:" + PASSWORD + "@");
            try (RedisStore store = RedisStore.open(uri + "?shards=12&timeoutMillis=10000")) {
                everyVerb(store);
            }
        }
    }

    private static List<String> clusterRights() throws Exception {
        Matcher matcher = Pattern.compile("In a cluster add\\s+`([^`]+)`").matcher(Files.readString(DOCUMENTED));
        assertThat(matcher.find()).isTrue();
        return List.of(matcher.group(1).split(" ", -1));
    }

    @Test
    @DisplayName("a wrong password is refused, and appears in no message")
    void wrong_password() {
        assertThatThrownBy(() -> RedisStore.open(uri("battery-staple")))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("rejects this user or password")
                .satisfies(fault -> assertThat(stackTraceOf(fault)).doesNotContain("battery-staple"));
        assertThatThrownBy(() -> RedisStore.open(uri(PASSWORD).replace("semel:", "stranger:")))
                .hasMessageContaining("rejects this user or password")
                .satisfies(fault -> assertThat(stackTraceOf(fault)).doesNotContain(PASSWORD));
    }

    private static String stackTraceOf(Throwable fault) {
        StringWriter text = new StringWriter();
        fault.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    @Test
    @DisplayName("keys with another prefix are denied")
    void another_prefix() {
        assertThatThrownBy(() -> RedisStore.open(uri(PASSWORD) + "?prefix=other"))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("docs/reference/redis.md has the ACL rule");
    }
}
