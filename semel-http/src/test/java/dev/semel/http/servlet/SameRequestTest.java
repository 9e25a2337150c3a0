package dev.semel.http.servlet;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.http.RoutePolicyBuilder;
import dev.semel.testsupport.http.Wire;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which requests are the same and which are not, over a real socket. */
class SameRequestTest {

    private static final String JSON = "{\"amount\":1,\"to\":\"Zo\u00eb\"}";
    private static final String SAME_JSON = "{ \"to\": \"Zo\\u00eb\", \"amount\": 1.0 }";

    /** The handler answers with how many bytes it has read, and of what. */
    private static TestServer server(UnaryOperator<RoutePolicyBuilder> policy) {
        return TestServer.protecting(policy, (request, response) -> {
            byte[] body = request.getInputStream().readAllBytes();
            response.setStatus(201);
            response.getWriter().print(body.length + " " + Arrays.hashCode(body));
        });
    }

    private static byte[] gzip(String content, int level) {
        return gzip(content.getBytes(UTF_8), level);
    }

    private static byte[] gzip(byte[] content, int level) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out) {
            {
                def.setLevel(level);
            }
        }) {
            gzip.write(content);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return out.toByteArray();
    }

    private static Wire.Request post(TestServer server, byte[] body) {
        return server.post("/p").body("application/json", body);
    }

    private static void assertExecuted(Wire.Reply reply) {
        assertThat(reply.status()).isEqualTo(201);
        assertThat(reply.replayed()).isFalse();
    }

    private static void assertReplayed(Wire.Reply reply) {
        assertThat(reply.status()).isEqualTo(201);
        assertThat(reply.replayed()).isTrue();
    }

    @Test
    void a_content_key_does_not_mismatch_itself_for_another_header_that_counts() {
        try (TestServer server = server(policy -> policy.keyFromContent().fingerprintHeaders("X-Currency"))) {
            Wire.Request euro = server.post("/p").header("X-Currency", "EUR").json(JSON);
            Wire.Request dollar = server.post("/p").header("X-Currency", "USD").json(JSON);

            assertExecuted(server.send(euro));
            assertExecuted(server.send(dollar));
            assertReplayed(server.send(euro));
            assertReplayed(server.send(dollar));
            assertThat(server.executions).hasValue(2);
        }
    }

    @Test
    void a_content_key_does_not_mismatch_itself_for_another_media_type() {
        try (TestServer server = server(policy -> policy.keyFromContent())) {
            byte[] body = JSON.getBytes(UTF_8);

            assertExecuted(server.send(server.post("/p").body("application/json", body)));
            assertExecuted(server.send(server.post("/p").body("application/merge-patch+json", body)));
            assertReplayed(server.send(server.post("/p").body("application/json; charset=UTF-8", body)));
        }
    }

    @Test
    void a_content_key_counts_the_named_fields_alone() {
        try (TestServer server = server(policy -> policy.keyFromContent().semanticFields("/amount"))) {
            assertExecuted(server.send(server.post("/p").json("{\"amount\":1,\"at\":1}")));
            assertReplayed(server.send(server.post("/p").json("{\"amount\":1,\"at\":2}")));
            assertExecuted(server.send(server.post("/p").json("{\"amount\":2,\"at\":2}")));
        }
    }

    @Test
    void the_same_bytes_with_and_without_gzip_do_not_replay_each_other() {
        try (TestServer server = server(policy -> policy)) {
            byte[] packed = gzip(JSON, Deflater.BEST_SPEED);

            assertExecuted(server.send(post(server, packed).key("k")));
            assertThat(server.send(post(server, packed).key("k").header("Content-Encoding", "gzip"))
                            .status())
                    .isEqualTo(422);
            assertExecuted(server.send(post(server, packed).key("l").header("Content-Encoding", "gzip")));
            assertThat(server.send(post(server, packed).key("l")).status()).isEqualTo(422);
            assertReplayed(server.send(post(server, packed).key("k").header("Content-Encoding", "identity")));
        }
    }

    @Test
    void gzipped_json_counts_by_its_meaning_and_reaches_the_handler_as_it_was_sent() {
        try (TestServer server = server(policy -> policy)) {
            byte[] first = gzip(JSON, Deflater.BEST_COMPRESSION);
            byte[] again = gzip(SAME_JSON, Deflater.NO_COMPRESSION);

            Wire.Reply executed = server.send(post(server, first).key("k").header("Content-Encoding", "gzip"));
            assertThat(executed.text()).isEqualTo(first.length + " " + Arrays.hashCode(first));
            assertReplayed(server.send(post(server, again).key("k").header("Content-Encoding", "x-gzip")));
            byte[] other = gzip("{\"amount\":2}", Deflater.BEST_SPEED);
            assertThat(server.send(post(server, other).key("k").header("Content-Encoding", "gzip"))
                            .status())
                    .isEqualTo(422);
            assertThat(server.send(post(server, JSON.getBytes(UTF_8)).key("k")).status())
                    .as("the handler would read other bytes")
                    .isEqualTo(422);
            assertThat(server.executions).hasValue(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip, br", "br", "gzip, gzip", "deflate"})
    void other_codings_count_by_bytes(String coding) {
        try (TestServer server = server(policy -> policy)) {
            byte[] first = gzip(JSON, Deflater.BEST_COMPRESSION);
            byte[] again = gzip(JSON, Deflater.NO_COMPRESSION);

            assertExecuted(server.send(post(server, first).key("k").header("Content-Encoding", coding)));
            assertReplayed(server.send(post(server, first).key("k").header("Content-Encoding", coding)));
            assertThat(server.send(post(server, again).key("k").header("Content-Encoding", coding))
                            .status())
                    .isEqualTo(422);
        }
    }

    @Test
    void a_bomb_counts_by_its_bytes() {
        try (TestServer server = server(policy -> policy)) {
            byte[] bomb = gzip(new byte[64 << 20], Deflater.BEST_COMPRESSION);

            assertExecuted(server.send(post(server, bomb).key("k").header("Content-Encoding", "gzip")));
            assertReplayed(server.send(post(server, bomb).key("k").header("Content-Encoding", "gzip")));
            byte[] other = gzip(new byte[63 << 20], Deflater.BEST_COMPRESSION);
            assertThat(server.send(post(server, other).key("k").header("Content-Encoding", "gzip"))
                            .status())
                    .isEqualTo(422);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json; charset=utf-8",
                "application/json;charset=UTF-8",
                "application/json; charset=\"Utf-8\"",
                "application/json; charset=utf8"
            })
    void json_in_utf_8_is_the_same_said_or_not(String contentType) {
        try (TestServer server = server(policy -> policy)) {
            assertExecuted(server.send(server.post("/p").key("k").json(JSON)));
            assertReplayed(server.send(server.post("/p").key("k").body(contentType, SAME_JSON.getBytes(UTF_8))));
        }
    }

    @Test
    void json_in_another_character_set_is_another_request_and_counts_by_its_bytes() {
        try (TestServer server = server(policy -> policy)) {
            String latin = "application/json; charset=iso-8859-1";
            byte[] body = JSON.getBytes(UTF_8);

            assertExecuted(server.send(server.post("/p").key("k").json(JSON)));
            assertThat(server.send(server.post("/p").key("k").body(latin, body)).status())
                    .isEqualTo(422);
            assertExecuted(server.send(server.post("/p").key("l").body(latin, body)));
            assertReplayed(
                    server.send(server.post("/p").key("l").body(latin.toUpperCase(java.util.Locale.ROOT), body)));
            // In UTF-8 this is the same JSON, in ISO 8859-1 it is not.
            byte[] escaped = SAME_JSON.getBytes(ISO_8859_1);
            assertThat(server.send(server.post("/p").key("l").body(latin, escaped))
                            .status())
                    .isEqualTo(422);
            assertThat(server.send(server.post("/p").key("l").body("application/json; charset=utf-16", body))
                            .status())
                    .isEqualTo(422);
        }
    }
}
