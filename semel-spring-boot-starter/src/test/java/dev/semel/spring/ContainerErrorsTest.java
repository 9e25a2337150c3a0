package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.eclipse.jetty.io.Content;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@DisplayName("An error that is answered below the filter")
class ContainerErrorsTest {

    private static final String HEAD = "POST /orders HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
    private static final String OVERSIZED = HEAD + "X-Big: " + "x".repeat(100_000) + "\r\n\r\n";
    private static final String MALFORMED = "POST /or ders HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    private static final String BAD_CHUNK = HEAD + "Idempotency-Key: k\r\nContent-Type: application/json\r\n"
            + "Transfer-Encoding: chunked\r\n\r\nnot a length\r\n{}\r\n0\r\n\r\n";

    @EnableAutoConfiguration
    @RestController
    static class Application {

        @PostMapping("/orders")
        String order(@RequestBody String body) {
            return body;
        }
    }

    @EnableAutoConfiguration
    static class WithOwnPages {

        @Bean
        WebServerFactoryCustomizer<?> ownValve() {
            return Boot.tomcat(context -> context.getParent().getPipeline().addValve(new ErrorReportValve() {
                @Override
                protected void report(Request request, Response response, Throwable failure) {
                    try {
                        response.getReporter().write("own page");
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                }
            }));
        }

        @Bean
        WebServerFactoryCustomizer<?> ownHandler() {
            return Boot.jetty(server -> server.setErrorHandler((request, response, callback) -> {
                Content.Sink.write(response, true, "own page", callback);
                return true;
            }));
        }
    }

    private static RunningApplication start(String container, Class<?> application, String... properties) {
        return container.equals("tomcat")
                ? RunningApplication.plain(application, properties)
                : RunningApplication.onJetty(application, properties);
    }

    private static String answer(RunningApplication application, String request) throws IOException {
        try (Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), application.uri("/").getPort())) {
            socket.setSoTimeout(30_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "tomcat, oversized, 400",
        "tomcat, malformed, 400",
        "jetty, oversized, 431",
        "jetty, malformed, 400",
    })
    void is_a_problem_without_details_of_the_container(String container, String kind, int status) throws IOException {
        try (RunningApplication application = start(container, Application.class, "semel.store=memory:")) {
            String answer = answer(application, kind.equals("oversized") ? OVERSIZED : MALFORMED);

            assertThat(answer).startsWith("HTTP/1.1 " + status);
            assertThat(answer.toLowerCase(Locale.ROOT))
                    .contains("content-type: application/problem+json")
                    .contains("\"status\":" + status)
                    .doesNotContain("<html", "tomcat/", "jetty", "java", "exception");
        }
    }

    @ParameterizedTest
    @CsvSource({"tomcat, 400", "jetty, 431"})
    void is_the_containers_own_where_a_property_selects_it(String container, int status) throws IOException {
        try (RunningApplication application =
                start(container, Application.class, "semel.store=memory:", "semel.http.container-errors=false")) {
            assertThat(answer(application, OVERSIZED))
                    .startsWith("HTTP/1.1 " + status)
                    .doesNotContain("problem+json");
        }
    }

    @ParameterizedTest
    @CsvSource({"tomcat", "jetty"})
    void is_the_applications_own_where_it_has_one(String container) throws IOException {
        try (RunningApplication application = start(container, WithOwnPages.class, "semel.store=memory:")) {
            assertThat(answer(application, OVERSIZED)).contains("own page").doesNotContain("problem+json");
        }
    }

    /** The containers answer it as an error of the application, with the application's error page. */
    @ParameterizedTest
    @CsvSource({"tomcat", "jetty"})
    void is_rendered_by_the_application_where_a_body_is_broken(String container) throws IOException {
        try (RunningApplication application = start(container, Application.class, "semel.store=memory:")) {
            assertThat(answer(application, BAD_CHUNK).toLowerCase(Locale.ROOT))
                    .startsWith("http/1.1 400")
                    .contains("content-type: application/json")
                    .contains("\"path\":\"/orders\"")
                    .doesNotContain("<html", "tomcat/", "jetty", "java", "exception");
            assertThat(application.post("/orders", "k", "{}").body()).isEqualTo("{}");
        }
    }

    @Test
    void is_left_to_the_error_page_of_the_application_within_its_context() throws IOException {
        try (RunningApplication application = RunningApplication.plain(Application.class, "semel.store=memory:")) {
            assertThat(answer(application, "GET /nowhere HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                    .startsWith("HTTP/1.1 404")
                    .contains("\"path\":\"/nowhere\"");
        }
    }
}
