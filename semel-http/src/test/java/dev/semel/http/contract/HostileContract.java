package dev.semel.http.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.testsupport.http.Wire;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Malformed and malicious requests. None of them is answered with a 5xx. */
public interface HostileContract extends OnTransport {

    private ContractServer parsing() {
        return protecting(call -> {
            call.parse();
            call.print("ok");
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/p?a=%ff",
                "/p?a=%zz",
                "/p?%",
                "/p?a=%e2%82",
                "/p?=&&=&a",
                "/p?a[]=1&a[]=2",
                "/p/%ff",
                "/p/%zz",
                "/p/%",
                "/p/%00",
                "/p/%2e%2e/x",
                "/p/..;/x",
                "//p//",
                "/p;a=b/c",
                "/p%2Fq",
                "/\u00ff"
            })
    default void malformed_targets(String target) {
        try (ContractServer server = parsing()) {
            Wire.Reply first = server.send(server.post(target).key("k").json("{}"));

            assertThat(first.status()).isLessThan(500);
            if (first.status() == 200) {
                assertThat(server.send(server.post(target).key("k").json("{}")).replayed())
                        .isTrue();
            }
        }
    }

    @Test
    default void a_key_that_tries_to_inject_a_header() throws Exception {
        try (ContractServer server = parsing();
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream()
                    .write(("POST /p HTTP/1.1\r\nHost: h\r\nConnection: close\r\n"
                                    + "Idempotency-Key: \"a\rSet-Cookie: x=1\"\r\nContent-Length: 0\r\n\r\n")
                            .getBytes(StandardCharsets.ISO_8859_1));
            Wire.Reply reply = Wire.Reply.read(socket.getInputStream());

            assertThat(reply.status()).isEqualTo(400);
            assertThat(reply.headers()).noneMatch(line -> line.contains("x=1"));
            assertThat(server.executions).hasValue(0);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "%0d%0aSet-Cookie:x=1",
                "<script>alert(1)</script>",
                "'; DROP TABLE semel; --",
                "../../etc/passwd",
                "${jndi:ldap://x}",
                "\"\\\"quoted\\\\\""
            })
    default void keys_that_mean_something_elsewhere_are_just_keys_or_refused(String key) {
        try (ContractServer server = parsing()) {
            Wire.Reply first = server.pay(key);

            assertThat(first.status()).isIn(200, 400);
            assertThat(first.essence()).doesNotContain("x=1", "alert");
            assertThat(server.pay(key).replayed()).isEqualTo(first.status() == 200);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"nonsense", ";;;", "multipart/form-data", "multipart/form-data; boundary=", "a/b; charset=\""})
    default void content_types_that_are_none(String contentType) {
        try (ContractServer server = parsing()) {
            Wire.Request request = server.post("/p").key("k").body(contentType, "x=1".getBytes());

            assertThat(server.send(request).status()).isLessThan(500);
            assertThat(server.send(request).status()).isLessThan(500);
        }
    }

    @Test
    default void a_charset_that_does_not_exist_is_left_to_the_handler() {
        try (ContractServer server = protecting(call -> call.status(204))) {
            Wire.Request request = server.post("/p").key("k").body("text/plain; charset=nonsense", "x".getBytes());

            assertThat(server.send(request).status()).isEqualTo(204);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "{\"a\":1,\"a\":2}", "\"\\ud800\"", "", "null", "[1e999999]", "{\"a\":}"})
    default void json_that_is_none_counts_by_its_bytes(String body) {
        try (ContractServer server = parsing()) {
            Wire.Reply first = server.send(server.post("/p").key("k").json(body));

            assertThat(first.status()).isIn(200, 400);
            if (first.status() == 200) {
                assertThat(server.send(server.post("/p").key("k").json(body)).replayed())
                        .isTrue();
                assertThat(server.send(server.post("/p").key("k").json(body + " "))
                                .status())
                        .isIn(200, 422);
            }
        }
    }
}
