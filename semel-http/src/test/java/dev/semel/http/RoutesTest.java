package dev.semel.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.semel.Failures;
import dev.semel.Operation;
import dev.semel.http.key.KeyStrategy;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RoutesTest {

    private static RoutePolicy policy(String name) {
        return RoutePolicy.of(Operation.named(name)).build();
    }

    private static Optional<String> match(Routes routes, String method, String path) {
        return routes.match(RequestView.of(method, path).build())
                .map(policy -> policy.operation().name());
    }

    @ParameterizedTest
    @CsvSource({
        "/payments, /payments, true",
        "/payments, /payments/, true",
        "/payments, //payments, true",
        "/payments, /payments/1, false",
        "/payments, /Payments, false",
        "/payments, /x/../payments, true",
        "/payments, /payments;v=1, true",
        "/payments, /pay%6Dents, true",
        "/payments/*, /payments, false",
        "/payments/*, /payments/1, true",
        "/payments/*, /payments/1/2, false",
        "/payments/*/refunds, /payments/1/refunds, true",
        "/payments/**, /payments, true",
        "/payments/**, /payments/1/2, true",
        "/payments/**, /paymentsx, false",
        "*, /, true",
        "*, /a/b, true",
        "/**, /a/b, true",
        "/, /, true",
        "/, /a, false",
        "/payments, /%zz, false",
    })
    void patterns_match_as_documented(String pattern, String path, boolean matches) {
        Routes routes = Routes.builder().protect("POST", pattern, policy("p")).build();

        assertThat(match(routes, "POST", path).isPresent()).isEqualTo(matches);
    }

    @Test
    void the_first_rule_that_matches_decides() {
        Routes routes = Routes.builder()
                .unprotected("POST", "/payments/search")
                .protect("POST, PUT", "/payments/**", policy("first"))
                .protect("*", "*", policy("rest"))
                .build();

        assertThat(match(routes, "POST", "/payments/search")).isEmpty();
        assertThat(match(routes, "PUT", "/payments/search")).hasValue("first");
        assertThat(match(routes, "POST", "/payments/1")).hasValue("first");
        assertThat(match(routes, "DELETE", "/payments/1")).hasValue("rest");
        assertThat(match(routes, "GET", "/payments/1")).isEmpty();
        assertThat(match(routes, "QUERY", "/payments/1")).isEmpty();
        assertThat(match(routes, "query", "/payments/1")).hasValue("rest");
    }

    @ParameterizedTest
    @ValueSource(strings = {"payments", "", "/a*b", "/a/**/b", "/payments/{id}", "/a?b"})
    void misleading_patterns_are_refused(String pattern) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Routes.builder().protect("POST", pattern, policy("p")))
                .withMessageContaining("path pattern \"" + pattern + "\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "POST,HEAD", "QUERY", "POST, QUERY", "post", "", "POST PUT", "POST,"})
    void safe_or_malformed_methods_are_refused(String methods) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Routes.builder().protect(methods, "/", policy("p")))
                .withMessageContaining("methods \"" + methods);
    }

    @Test
    void contradictory_settings_are_refused_with_the_operation_in_the_message() {
        RoutePolicyBuilder builder = RoutePolicy.of(Operation.named("pay"));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.mismatchStatus(500))
                .withMessage("route of pay: the status for a reused key is 500, it must be 422, 409 or 400");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.maxRequestBody(-1))
                .withMessageContaining("between 0 and");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.fingerprintHeaders("no header"))
                .withMessageContaining("no header");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.notExecutedOn(200))
                .withMessageContaining("400 to 599");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RoutePolicy.of(Operation.named("pay"))
                        .keyFromContent()
                        .inProgress(InProgressAnswer.ACCEPTED)
                        .build())
                .withMessageContaining("the key is derived");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RoutePolicy.of(Operation.named("pay"))
                        .keyDerived(KeyStrategy.contentHash())
                        .strictKeys()
                        .build())
                .withMessageContaining("the key is derived");
    }

    @Test
    void settings_that_contradict_a_transaction_are_refused() {
        TransactionRunner runner = work -> {};
        Operation pay = Operation.named("pay");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> RoutePolicy.of(pay)
                        .storeDown(StoreDown.FAIL_OPEN)
                        .inTransaction(runner)
                        .build())
                .withMessageStartingWith("route of pay: ")
                .withMessageContaining("use FAIL_CLOSED");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RoutePolicy.of(pay.failures(Failures.RECONCILE))
                        .inTransaction(runner)
                        .build())
                .withMessageContaining("nothing to reconcile");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RoutePolicy.of(pay.failureRule(failure -> Optional.of(Failures.REPLAY)))
                        .inTransaction(runner)
                        .build())
                .withMessageContaining("failure rule");
    }

    @Test
    void in_a_transaction_a_failure_leaves_nothing_to_record() {
        RoutePolicy policy = RoutePolicy.of(Operation.named("pay"))
                .responseRule((status, headers) -> status == 599 ? Optional.of(Failures.REPLAY) : Optional.empty())
                .inTransaction(work -> {})
                .build();

        assertThat(policy.judge(201, Headers.NONE)).isEqualTo(Failures.REPLAY);
        assertThat(policy.judge(303, Headers.NONE)).isEqualTo(Failures.REPLAY);
        assertThat(policy.judge(409, Headers.NONE)).isEqualTo(Failures.REPLAY);
        assertThat(policy.judge(429, Headers.NONE)).isEqualTo(Failures.RETRY);
        assertThat(policy.judge(500, Headers.NONE)).isEqualTo(Failures.RETRY);
        assertThat(policy.judge(599, Headers.NONE)).isEqualTo(Failures.REPLAY);
    }

    @Test
    void responses_are_judged_by_rule_then_refusal_then_failure() {
        RoutePolicy policy = RoutePolicy.of(Operation.named("pay").failures(Failures.RECONCILE))
                .notExecutedOn(429, 503)
                .responseRule((status, headers) -> status == 599 ? Optional.of(Failures.REPLAY) : Optional.empty())
                .build();

        assertThat(policy.judge(200, Headers.NONE)).isEqualTo(Failures.REPLAY);
        assertThat(policy.judge(401, Headers.NONE)).isEqualTo(Failures.REPLAY);
        assertThat(policy.judge(429, Headers.NONE)).isEqualTo(Failures.RETRY);
        assertThat(policy.judge(503, Headers.NONE)).isEqualTo(Failures.RETRY);
        assertThat(policy.judge(500, Headers.NONE)).isEqualTo(Failures.RECONCILE);
        assertThat(policy.judge(599, Headers.NONE)).isEqualTo(Failures.REPLAY);
    }

    @ParameterizedTest
    @CsvSource({
        "/v1/payments, pay",
        "/*/payments, pay other",
        "/v1/*, pay other all",
        "/*/*, pay search other all",
        "/**, pay search other all",
        "/v1/**, pay other all",
        "/orders/search, search",
        "/orders/*, search other all",
        "/free/x, ''",
        "/free/*, ''",
        "/free, all",
        "/*/x, all",
        "/a/b/c, all"
    })
    void a_path_that_is_known_in_part_may_have_the_policy_of_each_rule_that_matches_some_of_it(
            String paths, String operations) {
        Routes routes = Routes.builder()
                .unprotected("POST", "/free/*")
                .protect("POST", "/v1/payments", policy("pay"))
                .protect("POST", "/orders/search", policy("search"))
                .protect("POST", "/*/payments", policy("other"))
                .protect("PUT", "*", policy("put"))
                .protect("*", "*", policy("all"))
                .build();
        assertThat(routes.matchSome("POST", PathPattern.of(paths)).stream()
                        .map(policy -> policy.operation().name()))
                .containsExactly(operations.isEmpty() ? new String[0] : operations.split(" "));
        assertThat(routes.matchSome("GET", PathPattern.of(paths))).isEmpty();
    }
}
