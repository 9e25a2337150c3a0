package dev.semel.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.jdbc.Stores;
import dev.semel.redis.RedisStore;
import dev.semel.testsupport.servers.RedisServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A store in Redis, on the command line,")
class RedisCommandsIT extends UnknownCommands {

    private static RedisServer server;
    private static int prefixes;

    @BeforeAll
    static void startServer() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Override
    @BeforeEach
    void openStore() {
        prefixes++;
        super.openStore();
    }

    @Override
    String uri() {
        return server.uri() + "?prefix=cli" + prefixes;
    }

    @Test
    void the_doctor_finds_no_fault_with_a_durable_server() {
        Invocation doctor = Invocation.of("doctor", "--store", uri());

        assertThat(doctor.out())
                .doesNotContain("UNSAFE")
                .doesNotContain("note")
                .contains("  ok      Redis 7.", "appendfsync always", "noeviction", "the store starts");
        assertThat(doctor.status()).isZero();
        assertThat(Invocation.of("prune", "--store", uri()).out()).isEqualToIgnoringNewLines("Deleted 0 records");
    }

    @Test
    void the_doctor_explains_a_server_that_a_store_would_refuse() {
        try (RedisServer unsafe =
                RedisServer.start("--appendonly", "no", "--appendfsync", "no", "--maxmemory-policy", "allkeys-lru")) {
            Invocation doctor = Invocation.of("doctor", "--store", unsafe.uri() + "?acceptUnsafeDurability=true");

            assertThat(doctor.status()).isEqualTo(1);
            assertThat(doctor.out())
                    .contains(
                            "  UNSAFE  appendonly is off, so a restart loses",
                            "; set appendonly to yes",
                            "  UNSAFE  appendfsync is no, ",
                            "  UNSAFE  maxmemory-policy is allkeys-lru, ",
                            "  UNSAFE  the store does not start: ",
                            "This store can lose records: ");
        }
    }

    @Test
    void the_doctor_lets_what_can_be_weighed_be_weighed() {
        try (RedisServer everySecond = RedisServer.start("--appendfsync", "everysec")) {
            RedisStore.open(everySecond.uri()).close();

            Invocation doctor = Invocation.of("doctor", everySecond.uri());

            assertThat(doctor.out())
                    .contains("  note    appendfsync is everysec, ")
                    .doesNotContain("UNSAFE");
            assertThat(doctor.status()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"prune", "repair", "repair --fix", "keys show acme k1", "unknown list", "unknown show acme k1"})
    void no_command_creates_the_store_that_it_should_look_at(String command) {
        Invocation failed = Invocation.of((command + " --store " + server.uri() + "?prefix=typo").split(" "));

        assertThat(failed.status()).isEqualTo(1);
        assertThat(failed.out() + failed.err()).contains("there is no store with the prefix typo");
        assertThat(server.call("EXISTS", "typo:layout")).isEqualTo(0L);
    }

    @Test
    void the_doctor_reports_a_store_that_is_not_created_yet_and_does_not_create_it() {
        Invocation doctor = Invocation.of("doctor", server.uri() + "?prefix=empty");

        assertThat(doctor.status()).isZero();
        assertThat(doctor.out())
                .contains("  note    there is no store with the prefix empty", "it is not created yet")
                .doesNotContain("UNSAFE");
        assertThat(server.call("EXISTS", "empty:layout")).isEqualTo(0L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"prune", "doctor", "repair", "keys show acme k1", "unknown list"})
    void reports_an_unreachable_server_in_one_line(String command) throws IOException {
        int unused;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            unused = socket.getLocalPort();
        }

        Invocation failed = Invocation.of((command + " --store redis://u:secret@127.0.0.1:" + unused).split(" "));

        assertThat(failed.status()).isEqualTo(command.equals("doctor") ? 3 : 1);
        assertThat(failed.err())
                .startsWith("semel: ")
                .contains("redis://u@127.0.0.1:" + unused, "cannot be reached", "start it, or check the network")
                .doesNotContain("again", "reconnect")
                .hasLineCount(1);
        assertThat(failed.out() + failed.err()).doesNotContain("secret").doesNotContain("at dev.semel");
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis://", "redis://u:secret@host:port", "redis-sentinel://host", "redis://host?ttl=1"})
    void a_wrong_uri_is_a_wrong_command_line(String wrong) {
        Invocation failed = Invocation.of("prune", "--store", wrong);

        assertThat(failed.status()).isEqualTo(2);
        assertThat(failed.err()).startsWith("semel: --store: ").hasLineCount(2).doesNotContain("secret");
    }

    @Test
    void repair_finds_damage_and_repairs_it() {
        String record = "cli" + prefixes + ":{0}:r:acme\tk-secret";
        becomeUnknown("acme", "k-secret", "charge");
        assertThat(Invocation.of("repair", "--store", uri()).out()).endsWith(": no defects.\n");
        server.call("PEXPIRE", record, "600000");
        server.call("ZREM", "cli" + prefixes + ":{0}:due:charge", "acme\tk-secret");

        Invocation found = Invocation.of("repair", "--store", uri());
        assertThat(found.status()).isEqualTo(1);
        assertThat(found.out())
                .contains(
                        "     1  in progress or unknown, but has a TTL: Redis would delete it\n          acme key#",
                        "     1  unknown, but missing from the reconciler's index\n",
                        " keys: repair them with --fix.")
                .doesNotContain("k-secret");
        assertThat(server.call("PTTL", record)).isNotEqualTo(-1L);

        Invocation repaired = Invocation.of("repair", "--fix", "--store", uri());
        assertThat(repaired.status()).isEqualTo(1);
        assertThat(repaired.out()).contains("would delete it (repaired)", " keys: all defects are repaired.");
        assertThat(server.call("PTTL", record)).isEqualTo(-1L);
        assertThat(Invocation.of("repair", "--store", uri()).status()).isZero();
    }

    @Test
    void repair_is_for_redis_only() {
        Invocation wrong = Invocation.of("repair", "--store", "sqlite:x.db");

        assertThat(wrong.status()).isEqualTo(2);
        assertThat(wrong.err()).contains("only stores in Redis");
    }

    @Test
    void the_rights_in_the_schema_suffice_for_every_command() {
        String schema = Invocation.of("schema", "redis").out();
        assertThat(schema).contains("semel:{0}:leases", "appendonly yes");
        Matcher rule =
                Pattern.compile("ACL SETUSER semel .*?(?=\n\n)", Pattern.DOTALL).matcher(schema);
        while (rule.find()) {
            server.call(rule.group().replace("PASSWORD", "secret").split("\\s+"));
        }
        String own = server.uri().replace("://", "://semel:secret@") + "?prefix=semel:acl";
        Stores.open(own).close();

        for (String line : List.of(
                "doctor", "repair --fix", "prune", "prune --soft", "unknown list", "unknown list --operation charge")) {
            Invocation done = Invocation.of((line + " --store " + own).split(" "));
            assertThat(done.err()).as(line).isEmpty();
            assertThat(done.status()).as(line).isZero();
        }
        assertThat(Invocation.of("doctor", "--store", own).out()).doesNotContain("note");
    }
}
