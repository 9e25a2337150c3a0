package dev.semel.redis.uri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.engine.StoreProvider;
import dev.semel.redis.RedisStoreProvider;
import dev.semel.redis.uri.RedisUri.Credentials;
import dev.semel.redis.uri.RedisUri.Node;
import dev.semel.redis.uri.RedisUri.Tls;
import dev.semel.redis.uri.RedisUri.Topology;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.ServiceLoader;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The URIs of Redis")
class RedisUriTest {

    @Test
    void a_server_needs_only_a_host() {
        assertThat(RedisUri.parse("redis://localhost"))
                .isEqualTo(new RedisUri(
                        Topology.SERVER,
                        List.of(new Node("localhost", 6379)),
                        Credentials.NONE,
                        0,
                        null,
                        Tls.NONE,
                        RedisOptions.DEFAULT))
                .hasToString("redis://localhost:6379/0");
    }

    @Test
    void a_server_has_credentials_port_database_and_tls() {
        RedisUri uri =
                RedisUri.parse("rediss://alice:s%40c%2Fr%3Fe+t@[::1]:7000/3?tlsCa=/etc/ca%20s.pem&tlsVerify=false");

        assertThat(uri.credentials()).isEqualTo(new Credentials("alice", "s@c/r?e+t"));
        assertThat(uri.nodes()).containsExactly(new Node("[::1]", 7000));
        assertThat(uri.database()).isEqualTo(3);
        assertThat(uri.tls()).isEqualTo(new Tls(true, "/etc/ca s.pem", false));
        assertThat(uri).hasToString("rediss://alice@[::1]:7000/3");
    }

    @Test
    void a_password_alone_is_the_default_users() {
        assertThat(RedisUri.parse("redis://:s:e:c@h").credentials()).isEqualTo(new Credentials(null, "s:e:c"));
    }

    @Test
    void sentinel_has_a_master_and_its_own_default_port() {
        RedisUri uri = RedisUri.parse("redis-sentinel://:pw@one,two:7/2?master=pay");

        assertThat(uri.topology()).isEqualTo(Topology.SENTINEL);
        assertThat(uri.nodes()).containsExactly(new Node("one", 26_379), new Node("two", 7));
        assertThat(uri.master()).isEqualTo("pay");
        assertThat(uri).hasToString("redis-sentinel://one:26379,two:7/2");
    }

    @Test
    void a_cluster_has_nodes_and_more_shards() {
        RedisUri uri = RedisUri.parse("rediss-cluster://one,two:7");

        assertThat(uri.topology()).isEqualTo(Topology.CLUSTER);
        assertThat(uri.nodes()).containsExactly(new Node("one", 6379), new Node("two", 7));
        assertThat(uri.tls().used()).isTrue();
        assertThat(uri.options().shards()).isEqualTo(RedisOptions.SHARDS_OF_A_CLUSTER);
        assertThat(uri).hasToString("rediss-cluster://one:6379,two:7");
    }

    @Test
    void parameters_are_options_of_the_store() {
        assertThat(RedisUri.parse("redis://h?prefix=pay:1&shards=8&replicas=2&timeoutMillis=250&keepMarkedDays=9"
                                + "&acceptUnsafeDurability=true")
                        .options())
                .isEqualTo(new RedisOptions("pay:1", 8, 2, Duration.ofMillis(250), Duration.ofDays(9), true));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | use redis://, rediss://, redis-sentinel:// or redis-cluster://",
                "localhost:6379 | use redis://",
                "REDIS://localhost | use redis://",
                "redis-ring://localhost | use redis://",
                "redis:localhost | must be followed by two slashes: use redis://",
                "redis:// | malformed host or port",
                "redis://:6379 | malformed host or port",
                "redis://host:0 | has a port that is not between 1 and 65535",
                "redis://host:65536 | has a port that is not between 1 and 65535",
                "redis://host:port | malformed host or port",
                "redis://ho st | malformed host or port",
                "redis://one,two | names several hosts: use redis-cluster://",
                "redis-cluster://one,,two | malformed host or port",
                "redis-cluster://one/1 | has only one database",
                "redis-sentinel://one | lacks the parameter 'master'",
                "redis://host?master=m | that is for redis-sentinel://",
                "redis://host/pay | the database is a number",
                "redis://host/-1 | the database is a number",
                "redis://host/0/1 | the database is a number",
                "redis://alice@host | before the @, a Redis URI has user:password",
                "redis://a:50%@host | the password in the Redis URI is not percent-encoded",
                "redis://host?tlsVerify=false | use rediss://",
                "rediss://host?tlsVerify=no | tlsVerify must be true or false",
                "redis://host?shards=0 | between 1 and 16384",
                "redis://host?shards=many | shards must be a whole number",
                "redis://host?shards=99999999999 | shards must be a whole number",
                "redis://host?timeoutMillis=0 | timeout must be positive",
                "redis://host?prefix={a} | prefix must be 1 to 64 letters",
                "redis://host?prefix= | prefix must be 1 to 64 letters",
                "redis://host?ttl=1 | acceptUnsafeDurability, keepMarkedDays, master, prefix,",
                "redis://host?shards | an unknown parameter",
                "redis://host?shards=1&shards=2 | the parameter shards twice",
            })
    void a_wrong_uri_is_refused_with_a_valid_form(String uri, String advice) {
        assertThatThrownBy(() -> RedisUri.parse(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(advice)
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://u:hunter2@host:port",
                "redis://u:hunter2%@host",
                "redis://u:%zzhunter2@host",
                "redis://hunter2@host",
                "redis:u:hunter2@host",
                "redis://u:x?hunter2@host",
                "redis://u:x?hunter2=1@host",
                "redis://u:x/hunter2@host/0?shards=0",
                "redis://u:hunter2/x@y@host:z",
                "redis://u:x#hunter2 @ho st",
                "redis-sentinel://u:hunter2@host",
                "redis-cluster://u:hunter2@host/7",
                "u:hunter2@host",
            })
    void no_message_contains_the_password(String uri) {
        assertThatThrownBy(() -> RedisUri.parse(uri)).satisfies(e -> {
            assertThat(e.toString()).doesNotContain("hunter2");
            assertThat(e.getCause()).isNull();
        });
    }

    @Test
    void any_text_is_parsed_or_refused_without_the_password() {
        Random random = new Random(42);
        String pieces = "://@?&=,%25/:[]{}";
        for (int i = 0; i < 20_000; i++) {
            StringBuilder uri = new StringBuilder(i % 3 == 0 ? "redis://u:hunter2" : "redis-cluster://:hunter2");
            for (int n = random.nextInt(12); n > 0; n--) {
                uri.append(random.nextBoolean() ? "ab1" : pieces.charAt(random.nextInt(pieces.length())));
            }
            uri.append(random.nextBoolean() ? "@host" : "");
            String text;
            try {
                text = RedisUri.parse(uri.toString()).toString();
            } catch (IllegalArgumentException e) {
                text = e.toString();
            }
            assertThat(text).as(uri.toString()).doesNotContain("hunter2@").doesNotContain(":hunter2");
        }
    }

    @Test
    void no_description_contains_the_password() {
        RedisUri uri = RedisUri.parse("redis://u:hunter2@host/1?prefix=p");
        assertThat(uri).hasToString("redis://u@host:6379/1");
        assertThat(uri.credentials().toString() + uri.tls() + uri.options() + uri.nodes())
                .doesNotContain("hunter2");
    }

    @Test
    void the_provider_has_every_scheme() {
        StoreProvider provider =
                ServiceLoader.load(StoreProvider.class).findFirst().orElseThrow();
        assertThat(provider).isInstanceOf(RedisStoreProvider.class);
        assertThat(provider.schemes()).allSatisfy(scheme -> {
            assertThat(RedisUri.isRedis(scheme + "://h")).isTrue();
            assertThat(RedisUri.parse(scheme + "://h" + (scheme.endsWith("sentinel") ? "?master=m" : ""))
                            .tls()
                            .used())
                    .isEqualTo(scheme.startsWith("rediss"));
        });
        assertThat(RedisUri.isRedis("redist://h")).isFalse();
    }
}
