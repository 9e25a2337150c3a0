package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.http.ProblemRenderer;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Profile;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

@DisplayName("Properties of answers")
class AnswerPropertiesTest {

    /** The profile keeps it from applications of other tests, which scan this package. */
    @RestController
    @Profile("never")
    static class Payments {

        @PostMapping({"/payments", "/charges", "/entities"})
        String pay() {
            return "paid";
        }
    }

    @EnableAutoConfiguration
    static class Application {

        @Bean
        Payments payments() {
            return new Payments();
        }
    }

    static class RenderingApplication extends Application {

        @Bean
        ProblemRenderer renderer() {
            return (problem, request) -> ProblemRenderer.Rendered.json(
                    "{\"mine\":\"" + problem.code().code() + "\"}");
        }
    }

    private static RunningApplication started(Class<?> application) {
        return RunningApplication.plain(
                application,
                "semel.store=memory:",
                "semel.http.policy-path=/idempotency/policy",
                "semel.operations.pay.match=POST /payments",
                "semel.operations.charge.match=POST /charges",
                "semel.operations.charge.profile=stripe",
                "semel.operations.insert.match=POST /entities",
                "semel.operations.insert.profile=oasis");
    }

    private static HttpResponse<String> post(RunningApplication application, String path, String... headers) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(application.uri(path)).POST(HttpRequest.BodyPublishers.noBody());
        return application.send(headers.length == 0 ? request : request.headers(headers));
    }

    @Test
    void choose_the_profile_of_an_operation_and_publish_its_policy() {
        try (RunningApplication application = started(Application.class)) {
            HttpResponse<String> paid = post(application, "/payments", "Idempotency-Key", "k1");
            assertThat(paid.headers().allValues("Idempotency-Key")).containsExactly("k1");
            assertThat(paid.headers().allValues("Idempotency-Expires")).hasSize(1);
            assertThat(post(application, "/charges").body())
                    .startsWith("{\"error\":{\"type\":\"invalid_request_error\",\"code\":\"idempotency_key_missing\"");
            HttpResponse<String> inserted = post(
                    application,
                    "/entities",
                    "Repeatability-Request-ID",
                    "r1",
                    "Repeatability-First-Sent",
                    "Tue, 15 Nov 1994 08:12:31 GMT");
            assertThat(inserted.statusCode()).as("first sent long ago").isEqualTo(412);
            assertThat(inserted.headers().allValues("Repeatability-Result")).containsExactly("rejected");
            HttpResponse<String> policy =
                    application.send(HttpRequest.newBuilder(application.uri("/idempotency/policy")));
            assertThat(policy.body())
                    .contains("\"operation\":\"charge\"", "\"profile\":\"stripe\"", "Repeatability-Request-ID");
        }
    }

    @Test
    void let_a_bean_render_refusals() {
        try (RunningApplication application = started(RenderingApplication.class)) {
            assertThat(post(application, "/payments").body()).isEqualTo("{\"mine\":\"idempotency_key_missing\"}");
            assertThat(post(application, "/charges").body()).isEqualTo("{\"mine\":\"idempotency_key_missing\"}");
        }
    }

    @Test
    void turn_the_headers_off() {
        try (RunningApplication application = RunningApplication.plain(
                Application.class,
                "semel.store=memory:",
                "semel.http.answer-headers=false",
                "semel.operations.pay.match=POST /payments")) {
            HttpResponse<String> paid = post(application, "/payments", "Idempotency-Key", "k1");
            assertThat(paid.body()).isEqualTo("paid");
            assertThat(paid.headers().map()).doesNotContainKeys("idempotency-key", "idempotency-expires");
        }
    }
}
