package dev.semel.http.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.http.RoutePolicyBuilder;
import dev.semel.testsupport.http.Wire;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What a client learns about a key that it has used for another request. */
public interface MismatchContract extends OnTransport {

    private ContractServer explaining(UnaryOperator<RoutePolicyBuilder> policy) {
        return settings()
                .engine(engine -> engine.explainMismatches(new byte[32]))
                .route("*", "*", policy)
                .start(call -> {});
    }

    @Test
    default void a_mismatch_says_what_differs_and_never_a_value() {
        try (ContractServer server = explaining(policy -> policy.fingerprintHeaders("X-Currency"))) {
            server.send(
                    server.post("/payments?q=m4rked1")
                            .key("k")
                            .header("X-Currency", "m4rked2")
                            .json(
                                    "{\"amount\":100,\"to\":{\"iban\":\"m4rked3\"},\"items\":[1,\"m4rked4\"],\"x\":\"m4rked5\"}"));
            Wire.Reply members = server.send(server.post("/payments?q=m4rked1")
                    .key("k")
                    .header("X-Currency", "m4rked2")
                    .json("{\"amount\":1e2,\"to\":{\"iban\":\"m4rked6\"},\"items\":[1],\"new\":\"m4rked7\"}"));

            assertThat(members.status()).isEqualTo(422);
            assertThat(members.text())
                    .contains("\"errors\":[{\"pointer\":\"/items/1\",\"kind\":\"missing\"},"
                            + "{\"pointer\":\"/new\",\"kind\":\"added\"},"
                            + "{\"pointer\":\"/to/iban\",\"kind\":\"changed\"},"
                            + "{\"pointer\":\"/x\",\"kind\":\"missing\"}]")
                    .doesNotContain("m4rked");

            Wire.Reply parts = server.send(server.post("/payments?q=m4rked8")
                    .key("k")
                    .header("X-Currency", "m4rked9")
                    .body("text/plain", "m4rked".getBytes()));
            assertThat(parts.text())
                    .contains("\"errors\":[{\"part\":\"query\",\"kind\":\"changed\"},"
                            + "{\"part\":\"media-type\",\"kind\":\"changed\"},"
                            + "{\"part\":\"header\",\"name\":\"x-currency\",\"kind\":\"changed\"},"
                            + "{\"part\":\"body\",\"kind\":\"changed\"}]")
                    .doesNotContain("m4rked");
            assertThat(server.executions).hasValue(1);
        }
    }

    @Test
    default void a_mismatch_says_nothing_of_a_route_that_does_not_explain() {
        try (ContractServer server = explaining(policy -> policy.explainMismatches(false))) {
            server.send(server.post("/payments").key("k").json("{\"a\":1}"));
            Wire.Reply other = server.send(server.post("/payments").key("k").json("{\"a\":2}"));

            assertThat(other.status()).isEqualTo(422);
            assertThat(other.text()).doesNotContain("errors");
        }
    }
}
