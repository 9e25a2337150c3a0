package dev.semel.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Identity;
import dev.semel.Scope;
import dev.semel.engine.Event;
import dev.semel.http.RoutePolicyBuilder;
import dev.semel.http.key.KeyStrategy;
import dev.semel.key.KeyFinding;
import dev.semel.key.KeyHygiene;
import dev.semel.testsupport.http.Wire;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Keys that look like personal data or are easy to guess, over a real socket. */
class KeyHygieneTest {

    private static final String GOOD = "8e03978e-40d5-43dd-bc93-6894a57f9324";

    private final List<Event> events = new CopyOnWriteArrayList<>();

    private TestServer server(UnaryOperator<RoutePolicyBuilder> policy) {
        return TestServer.settings()
                .route("*", "*", policy)
                .listener(events::add)
                .start((request, response) -> response.getWriter().print("done"));
    }

    private List<Event> poorKeys() {
        return events.stream().filter(Event.PoorKey.class::isInstance).toList();
    }

    private static Event.PoorKey poor(KeyFinding finding, boolean refused) {
        return new Event.PoorKey("create-payment", Scope.of("alice"), finding, refused);
    }

    @Test
    void are_accepted_with_a_warning_by_default() {
        try (TestServer server = server(policy -> policy)) {
            assertThat(server.pay("jane@example.com").status()).isEqualTo(200);
            assertThat(server.pay(GOOD).status()).isEqualTo(200);
            assertThat(server.pay("jane@example.com").replayed()).isTrue();
        }
        assertThat(poorKeys())
                .containsExactly(poor(KeyFinding.EMAIL_ADDRESS, false), poor(KeyFinding.EMAIL_ADDRESS, false));
    }

    @ParameterizedTest
    @CsvSource({
        "jane@example.com, EMAIL_ADDRESS, looks like an e-mail address",
        "4111111111111111, CARD_NUMBER, 13 to 19 digits with a valid check digit",
        "+491701234567, PHONE_NUMBER, looks like a telephone number",
        "order-42, LOW_VARIETY, is easy to guess",
    })
    void are_refused_where_the_route_says_so_and_nothing_is_claimed(String key, KeyFinding finding, String why) {
        try (TestServer server = server(policy -> policy.keyHygiene(KeyHygiene.REFUSE))) {
            Wire.Reply reply = server.pay(key);

            assertThat(reply.status()).isEqualTo(400);
            assertThat(reply.all("Content-Type")).containsExactly("application/problem+json");
            assertThat(reply.text())
                    .contains("\"code\":\"idempotency_key_invalid\"", "\"retryable\":false", why, "random UUID")
                    .doesNotContain(key);
            assertThat(server.executions).hasValue(0);
            assertThat(server.semel.find(Identity.of("alice", key))).isEmpty();
            assertThat(events).containsExactly(poor(finding, true));
            assertThat(server.pay(GOOD).status()).isEqualTo(200);
        }
    }

    @Test
    void are_left_alone_where_the_route_says_so() {
        try (TestServer server = server(policy -> policy.keyHygiene(KeyHygiene.IGNORE))) {
            assertThat(server.pay("order-42").status()).isEqualTo(200);
        }
        assertThat(poorKeys()).isEmpty();
    }

    @Test
    void are_refused_in_a_field_as_well() {
        UnaryOperator<RoutePolicyBuilder> field =
                policy -> policy.keyHygiene(KeyHygiene.REFUSE).keyDerived(KeyStrategy.fromField("order"));
        try (TestServer server = server(field)) {
            Wire.Request poor = server.post("/payments").json("{\"order\":\"+49 170 1234567\"}");
            assertThat(server.send(poor).status()).isEqualTo(400);
            Wire.Request good = server.post("/payments").json("{\"order\":\"" + GOOD + "\"}");
            assertThat(server.send(good).status()).isEqualTo(200);
        }
        assertThat(poorKeys()).containsExactly(poor(KeyFinding.PHONE_NUMBER, true));
    }

    @Test
    void are_found_within_a_composed_key_and_the_user_of_it_is_not_the_clients_choice() {
        UnaryOperator<RoutePolicyBuilder> composed = policy -> policy.keyHygiene(KeyHygiene.REFUSE)
                .keyDerived(KeyStrategy.userAction("pay", KeyStrategy.fromField("order")));
        try (TestServer server = server(composed)) {
            Wire.Request good = server.post("/payments")
                    .header("X-User", "jane@example.com")
                    .json("{\"order\":\"" + GOOD + "\"}");
            assertThat(server.send(good).status()).isEqualTo(200);
            Wire.Request poor = server.post("/payments").json("{\"order\":\"order-42\"}");
            assertThat(server.send(poor).status()).isEqualTo(400);
        }
    }

    @Test
    void are_not_looked_for_in_a_digest_of_the_content() {
        UnaryOperator<RoutePolicyBuilder> content =
                policy -> policy.keyHygiene(KeyHygiene.REFUSE).keyFromContent();
        try (TestServer server = server(content)) {
            Wire.Request request = server.post("/payments").json("{\"to\":\"jane@example.com\"}");
            assertThat(server.send(request).status()).isEqualTo(200);
        }
        assertThat(poorKeys()).isEmpty();
    }
}
