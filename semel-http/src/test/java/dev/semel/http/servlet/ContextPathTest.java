package dev.semel.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.http.InProgressAnswer;
import dev.semel.http.key.ScopeStrategy;
import dev.semel.testsupport.http.Wire;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** An application whose paths begin with a context path. */
class ContextPathTest {

    @Test
    void while_a_request_runs_its_duplicate_can_be_sent_to_the_status_resource() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        TestServer.Settings settings = TestServer.settings()
                .contextPath("/shop")
                .scopes(ScopeStrategy.combine(ScopeStrategy.fromPrincipal(), ScopeStrategy.fromRoute()))
                .route("*", "*", policy -> policy.inProgress(InProgressAnswer.ACCEPTED));
        try (TestServer server = settings.start((request, response) -> {
            started.countDown();
            finish.await();
            response.setStatus(201);
        })) {
            Wire.Request request = server.post("/shop/payments").key("k").json("{}");
            CompletableFuture<Wire.Reply> first = CompletableFuture.supplyAsync(() -> server.send(request));
            started.await();

            Wire.Reply duplicate = server.send(request);
            assertThat(duplicate.status()).isEqualTo(202);
            assertThat(duplicate.all("Retry-After")).containsExactly("1");
            assertThat(duplicate.text()).contains("\"state\":\"in_progress\"");
            String location = duplicate.first("Location").orElseThrow();
            assertThat(location).isEqualTo("/shop/idempotency/status?operation=create-payment");
            assertThat(server.send(new Wire.Request("GET", location).key("k")).status())
                    .isEqualTo(202);
            finish.countDown();
            first.get();
            Wire.Reply after = server.send(new Wire.Request("GET", location).key("k"));
            assertThat(after.status()).isEqualTo(201);
            assertThat(after.replayed()).isTrue();
        }
    }
}
