package dev.semel.http.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Failures;
import dev.semel.Operation;
import dev.semel.http.RoutePolicyBuilder;
import dev.semel.testsupport.http.Wire;
import java.util.function.UnaryOperator;

/** The transport that a contract is run on. */
public interface OnTransport {

    ContractServer.Transport transport();

    default ContractServer.Settings settings() {
        return new ContractServer.Settings(transport());
    }

    /** A server that protects every path with this policy. */
    default ContractServer protecting(UnaryOperator<RoutePolicyBuilder> policy, Call.Handler handler) {
        return settings().route("*", "*", policy).start(handler);
    }

    default ContractServer protecting(Call.Handler handler) {
        return protecting(policy -> policy, handler);
    }

    default ContractServer failing(Failures failures, Call.Handler handler) {
        return settings()
                .route("*", "*", Operation.named("create-payment").failures(failures), policy -> policy)
                .start(handler);
    }

    default ContractServer echo() {
        return protecting(call -> call.print("done"));
    }

    /** Sends a payment whose handler throws, and sees what the server makes of exceptions when Semel leaves them to it. */
    default void payAndFail(ContractServer server, String key) {
        Wire.Reply reply = server.pay(key);
        assertThat(reply.status()).isEqualTo(500);
        assertThat(reply.text()).doesNotContain("urn:semel");
    }

    default void assertProblem(Wire.Reply reply, int status, String code, boolean retryable) {
        assertThat(reply.text())
                .startsWith("{\"type\":\"urn:semel:problem:" + code + "\",\"title\":\"")
                .contains("\"status\":" + status, "\"detail\":\"", "\"code\":\"" + code + "\"")
                .contains("\"retryable\":" + retryable + ",\"safe_new_key\":", "\"next\":{\"code\":\"");
        assertThat(reply.status()).isEqualTo(status);
        assertThat(reply.all("Content-Type")).containsExactly("application/problem+json");
        assertThat(reply.all("Link"))
                .containsExactly(
                        "<https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/>; rel=\"describedby\"");
        assertThat(reply.replayed()).isFalse();
    }
}
