package dev.semel.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Operation;
import dev.semel.http.RoutePolicyBuilder;
import dev.semel.testsupport.http.Wire;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPInputStream;

/** The server that a contract is run on. */
interface OnServer {

    TestServer.Starter starter();

    default TestServer open() {
        return open(Operation.named("create-payment"), policy -> policy);
    }

    default TestServer open(Operation operation, UnaryOperator<RoutePolicyBuilder> policy, Object... providers) {
        return TestServer.open(starter(), operation, policy, providers);
    }

    default void assertProblem(Wire.Reply reply, int status, String code) {
        assertThat(reply.text()).contains("\"code\":\"" + code + "\"");
        assertThat(reply.status()).isEqualTo(status);
        assertThat(reply.all("Content-Type")).containsExactly("application/problem+json");
        assertThat(reply.replayed()).isFalse();
    }

    static String gunzipped(byte[] bytes) {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
