package dev.semel.spring.messaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Attempt;
import dev.semel.messaging.MessageHandler;
import dev.semel.messaging.webhook.GitHubWebhooks;
import dev.semel.messaging.webhook.HmacSecrets;
import dev.semel.messaging.webhook.StandardWebhooks;
import dev.semel.messaging.webhook.WebhookEvent;
import dev.semel.messaging.webhook.WebhookScheme;
import dev.semel.spring.RunningApplication;
import dev.semel.spring.SemelAutoConfiguration;
import dev.semel.spring.SemelServletAutoConfiguration;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@DisplayName("A webhook endpoint of a Spring Boot application")
@ExtendWith(OutputCaptureExtension.class)
class WebhookEndpointsTest {

    private static final String SECRET =
            "whsec_" + Base64.getEncoder().encodeToString("0123456789abcdef0123456789abcdef".getBytes(UTF_8));
    private static final String NEW_SECRET =
            "whsec_" + Base64.getEncoder().encodeToString("fedcba9876543210fedcba9876543210".getBytes(UTF_8));
    private static final String BODY = "{\"invoice\":7}";

    /** An application with one handler for each endpoint. */
    @EnableAutoConfiguration
    static class Billing {

        private final List<String> events = new CopyOnWriteArrayList<>();

        @Bean
        @HandlesWebhook("billing")
        MessageHandler<WebhookEvent> billing() {
            return (event, attempt) -> events.add("billing " + event.id());
        }
    }

    /** A handler that is a class. */
    @EnableAutoConfiguration
    @HandlesWebhook("code")
    static class Code implements MessageHandler<WebhookEvent> {

        private final List<String> events = new CopyOnWriteArrayList<>();

        @Override
        public void handle(WebhookEvent event, Attempt attempt) {
            events.add(new String(event.body(), UTF_8));
        }
    }

    private static RunningApplication billing(String... properties) {
        String[] all = new String[properties.length + 4];
        all[0] = "semel.store=memory:";
        all[1] = "semel.webhooks.billing.path=/webhooks/billing";
        all[2] = "semel.webhooks.billing.scheme=standard";
        all[3] = "semel.webhooks.billing.secret=" + SECRET;
        System.arraycopy(properties, 0, all, 4, properties.length);
        return RunningApplication.plain(Billing.class, all);
    }

    private static HttpResponse<String> deliver(
            RunningApplication application, String path, String id, String secret, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(application.uri(path))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(BODY));
        StandardWebhooks.signedWith(secret)
                .sign(id, Instant.now(), BODY.getBytes(UTF_8))
                .forEach(request::header);
        if (headers.length > 0) {
            request.headers(headers);
        }
        return application.send(request);
    }

    private static List<String> events(RunningApplication application) {
        return application.bean(Billing.class).events;
    }

    @Test
    void handles_an_event_once_that_is_delivered_twice() {
        try (RunningApplication application = billing()) {
            HttpResponse<String> first = deliver(application, "/webhooks/billing", "evt-1", SECRET);
            HttpResponse<String> second = deliver(application, "/webhooks/billing", "evt-1", SECRET);

            assertThat(first.statusCode()).isEqualTo(200);
            assertThat(first.body()).isEqualTo("handled");
            assertThat(second.statusCode()).isEqualTo(200);
            assertThat(second.body()).isEqualTo("handled before");
            assertThat(events(application)).containsExactly("billing evt-1");
        }
    }

    @Test
    void refuses_a_delivery_that_is_not_signed_with_its_secret() {
        try (RunningApplication application = billing()) {
            assertThat(deliver(application, "/webhooks/billing", "evt-1", NEW_SECRET)
                            .statusCode())
                    .isEqualTo(401);
            assertThat(events(application)).isEmpty();
        }
    }

    @Test
    void accepts_the_previous_secret_during_a_rotation() {
        try (RunningApplication application = RunningApplication.plain(
                Billing.class,
                "semel.store=memory:",
                "semel.webhooks.billing.path=/webhooks/billing",
                "semel.webhooks.billing.scheme=standard",
                "semel.webhooks.billing.secret=" + NEW_SECRET,
                "semel.webhooks.billing.previous-secret=" + SECRET)) {
            assertThat(deliver(application, "/webhooks/billing", "evt-1", SECRET)
                            .statusCode())
                    .isEqualTo(200);
            assertThat(deliver(application, "/webhooks/billing", "evt-2", NEW_SECRET)
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    /** The filter would refuse a request without a key, and record the response of one that has a key. */
    @Test
    void is_not_protected_by_the_filter_for_idempotency_keys() {
        try (RunningApplication application = billing("semel.unmatched=required", "spring.mvc.servlet.path=/api")) {
            assertThat(deliver(application, "/api/webhooks/billing", "evt-1", SECRET)
                            .statusCode())
                    .isEqualTo(200);
            HttpResponse<String> withKey =
                    deliver(application, "/api/webhooks/billing", "evt-2", SECRET, "Idempotency-Key", "k1");
            assertThat(withKey.statusCode()).isEqualTo(200);
            assertThat(withKey.headers().firstValue("Idempotency-Key")).isEmpty();
        }
    }

    @Test
    void refuses_a_body_above_the_limit() {
        try (RunningApplication application = billing("semel.webhooks.billing.max-body-size=10B")) {
            assertThat(deliver(application, "/webhooks/billing", "evt-1", SECRET)
                            .statusCode())
                    .isEqualTo(413);
        }
    }

    @Test
    void can_identify_events_of_github_by_content() {
        try (RunningApplication application = RunningApplication.plain(
                Code.class,
                "semel.store=memory:",
                "semel.webhooks.code.path=/webhooks/code",
                "semel.webhooks.code.scheme=github",
                "semel.webhooks.code.secret=It's a secret, with a comma",
                "semel.webhooks.code.identify-by=content")) {
            byte[] signature = HmacSecrets.of(List.of("It's a secret, with a comma".getBytes(UTF_8)))
                    .sign(BODY.getBytes(UTF_8));
            for (String id : List.of("delivery-1", "delivery-2")) {
                HttpResponse<String> answer = application.send(HttpRequest.newBuilder(application.uri("/webhooks/code"))
                        .header(
                                "X-Hub-Signature-256",
                                "sha256=" + HexFormat.of().formatHex(signature))
                        .header("X-GitHub-Delivery", id)
                        .POST(HttpRequest.BodyPublishers.ofString(BODY)));
                assertThat(answer.statusCode()).isEqualTo(200);
            }
            assertThat(application.bean(Code.class).events).containsExactly(BODY);
        }
    }

    /** Contexts without a web server. */
    private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    SemelAutoConfiguration.class,
                    SemelServletAutoConfiguration.class,
                    SemelWebhookAutoConfiguration.class))
            .withPropertyValues("semel.store=memory:", "semel.reconciler.enabled=false");

    private final WebApplicationContextRunner billing = runner.withUserConfiguration(BillingHandler.class)
            .withPropertyValues(
                    "semel.webhooks.billing.path=/webhooks/billing",
                    "semel.webhooks.billing.scheme=standard",
                    "semel.webhooks.billing.secret=" + SECRET);

    @Configuration(proxyBeanMethods = false)
    static class BillingHandler {

        @Bean
        @HandlesWebhook("billing")
        MessageHandler<WebhookEvent> billing() {
            return (event, attempt) -> {};
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OtherHandler {

        @Bean
        @HandlesWebhook("biling")
        MessageHandler<WebhookEvent> other() {
            return (event, attempt) -> {};
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class SecondHandler {

        @Bean
        @HandlesWebhook("billing")
        MessageHandler<WebhookEvent> second() {
            return (event, attempt) -> {};
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    semel.webhooks.billing.path=webhooks            | semel.webhooks.billing.path          | Write a plain path
                    semel.webhooks.billing.path=/webhooks/{id}      | semel.webhooks.billing.path          | Write a plain path
                    semel.webhooks.billing.scheme=strype            | semel.webhooks.billing.scheme        | Write standard (Standard Webhooks), stripe, github
                    semel.webhooks.billing.identify-by=content      | semel.webhooks.billing.identify-by   | Only GitHub's events
                    semel.webhooks.billing.tolerance=0s             | semel.webhooks.billing.tolerance     | Write a positive duration
                    semel.webhooks.billing.max-body-size=2GB        | semel.webhooks.billing.max-body-size | Write a size between
                    semel.webhooks.billing.operation=Hook           | semel.webhooks.billing.operation     | lower-case letters
                    semel.operations.webhook.retention=1h           | semel.operations.webhook.retention   | choose a longer retention
                    semel.operations.webhook.match=POST /webhooks   | semel.operations.webhook.match       | Name another operation
                    semel.webhooks.billing.secrets=x                | semel.webhooks.billing.secrets       | unbound
                    """)
    void refuses_a_wrong_value_with_its_property_and_what_would_be_right(String property, String named, String advice) {
        billing.withPropertyValues(property)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining(named)
                        .hasStackTraceContaining(advice));
    }

    @Test
    void needs_a_path_a_scheme_a_secret_and_a_handler() {
        runner.withUserConfiguration(BillingHandler.class)
                .withPropertyValues("semel.webhooks.billing.scheme=stripe")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("The property semel.webhooks.billing.path is missing."));
        runner.withUserConfiguration(BillingHandler.class)
                .withPropertyValues("semel.webhooks.billing.path=/hooks")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("The property semel.webhooks.billing.scheme is missing."));
        runner.withUserConfiguration(BillingHandler.class)
                .withPropertyValues("semel.webhooks.billing.path=/hooks", "semel.webhooks.billing.scheme=stripe")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("The property semel.webhooks.billing.secret is missing."));
        runner.withPropertyValues(
                        "semel.webhooks.billing.path=/hooks",
                        "semel.webhooks.billing.scheme=stripe",
                        "semel.webhooks.billing.secret=whsec_x")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("The endpoint semel.webhooks.billing has no handler.")
                        .hasStackTraceContaining("@HandlesWebhook(\"billing\")"));
    }

    @Test
    void refuses_a_handler_without_an_endpoint_and_a_second_handler() {
        billing.withUserConfiguration(OtherHandler.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("there is no endpoint semel.webhooks.biling")
                        .hasStackTraceContaining("the endpoints are: billing."));
        billing.withUserConfiguration(SecondHandler.class)
                .run(context ->
                        assertThat(context).getFailure().hasStackTraceContaining("both handle semel.webhooks.billing"));
    }

    @Test
    void refuses_the_path_of_another_endpoint() {
        runner.withUserConfiguration(BillingHandler.class, AuditHandler.class)
                .withPropertyValues(
                        "semel.webhooks.audit.path=/hooks",
                        "semel.webhooks.audit.scheme=stripe",
                        "semel.webhooks.audit.secret=whsec_x",
                        "semel.webhooks.billing.path=/hooks",
                        "semel.webhooks.billing.scheme=stripe",
                        "semel.webhooks.billing.secret=whsec_x")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("semel.webhooks.audit has the same path"));
    }

    @Configuration(proxyBeanMethods = false)
    static class AuditHandler {

        @Bean
        @HandlesWebhook("audit")
        MessageHandler<WebhookEvent> audit() {
            return (event, attempt) -> {};
        }
    }

    @Test
    void takes_the_scheme_of_another_sender_from_a_bean() {
        WebApplicationContextRunner own = runner.withUserConfiguration(BillingHandler.class)
                .withBean("paypal", WebhookScheme.class, () -> GitHubWebhooks.signedWith("s"))
                .withPropertyValues("semel.webhooks.billing.path=/hooks");

        own.withPropertyValues("semel.webhooks.billing.scheme=bean:paypal")
                .run(context -> assertThat(context).hasNotFailed().hasBean("semelWebhookRoutes"));
        own.withPropertyValues("semel.webhooks.billing.scheme=bean:payppal")
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining("there are: paypal."));
        own.withPropertyValues("semel.webhooks.billing.scheme=bean:paypal", "semel.webhooks.billing.secret=x")
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining("configure the bean"));
    }

    @Test
    void does_not_show_a_malformed_secret(CapturedOutput output) {
        assertThatThrownBy(() -> billing("semel.webhooks.billing.secret=whsec_not§base64"))
                .hasMessageContaining("semel.webhooks.billing.secret")
                .hasMessageNotContaining("not§base64");

        assertThat(output.getOut())
                .contains("APPLICATION FAILED TO START")
                .contains("Set the secret as the sender shows it.")
                .doesNotContain("not§base64");
    }

    @Test
    void needs_the_messaging_module_and_spring_mvc() {
        String property = "semel.webhooks.billing.path=/hooks";

        runner.withClassLoader(new FilteredClassLoader("dev.semel.messaging"))
                .withPropertyValues(property)
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining("dev.semel:semel-messaging"));
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(SemelAutoConfiguration.class, SemelWebhookAutoConfiguration.class))
                .withPropertyValues("semel.store=memory:", "semel.reconciler.enabled=false")
                .withPropertyValues(property)
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining("spring-boot-starter-webmvc"));
        new ReactiveWebApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(SemelAutoConfiguration.class, SemelWebhookAutoConfiguration.class))
                .withPropertyValues("semel.store=memory:", "semel.reconciler.enabled=false")
                .withPropertyValues(property)
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining("spring-boot-starter-webmvc"));
    }

    @Test
    void is_not_there_without_properties() {
        runner.withClassLoader(new FilteredClassLoader("dev.semel.messaging"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("semelWebhookRoutes"));
        runner.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("semelWebhookRoutes"));
    }
}
