package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.multipart.MultipartFile;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

@DisplayName("I3: a replay has the same bytes for every kind of controller result")
class ResponsesTest {

    /** Headers of one transmission, not of the response. */
    private static final Set<String> TRANSMISSION = Set.of(
            "date",
            "idempotency-replayed",
            "idempotency-age",
            "idempotency-expires",
            "transfer-encoding",
            "connection",
            "keep-alive",
            "content-length");

    private static RunningApplication application;

    private final String key = UUID.randomUUID().toString();

    @EnableAutoConfiguration
    @Import({Answers.class, Advice.class})
    static class Application {}

    @RestController
    static class Answers {

        private final AtomicInteger runs = new AtomicInteger();

        @PostMapping("/deferred")
        DeferredResult<Map<String, Integer>> deferred() {
            DeferredResult<Map<String, Integer>> result = new DeferredResult<>();
            CompletableFuture.runAsync(() -> result.setResult(Map.of("run", runs.incrementAndGet())));
            return result;
        }

        @PostMapping("/future")
        CompletableFuture<ResponseEntity<String>> future() {
            return CompletableFuture.supplyAsync(() ->
                    ResponseEntity.accepted().header("X-Part", "one", "two").body("run " + runs.incrementAndGet()));
        }

        @PostMapping("/forwarding")
        void forwarding(HttpServletRequest request, HttpServletResponse response) throws Exception {
            runs.incrementAndGet();
            request.getRequestDispatcher("/target").forward(request, response);
        }

        @PostMapping("/including")
        void including(HttpServletRequest request, HttpServletResponse response) throws Exception {
            runs.incrementAndGet();
            request.getRequestDispatcher("/target").include(request, response);
            response.getOutputStream().print(response.encodeURL("."));
        }

        @PostMapping("/target")
        String target() {
            return "run " + runs.get();
        }

        @PostMapping("/streaming")
        StreamingResponseBody streaming() {
            return out -> {
                for (int line = 0; line < 100; line++) {
                    write(out, "line " + line + " of run " + runs.incrementAndGet() + "\n");
                    out.flush();
                }
            };
        }

        private static void write(OutputStream out, String text) throws IOException {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }

        @PostMapping("/bytes")
        ResponseEntity<byte[]> bytes() {
            byte[] body = new byte[1000];
            for (int i = 0; i < body.length; i++) {
                body[i] = (byte) (i + runs.get());
            }
            runs.incrementAndGet();
            return ResponseEntity.ok()
                    .contentType(MediaType.APPLICATION_OCTET_STREAM)
                    .body(body);
        }

        @PostMapping("/empty")
        ResponseEntity<Void> empty() {
            return ResponseEntity.noContent()
                    .header("X-Run", "" + runs.incrementAndGet())
                    .build();
        }

        @PostMapping("/absent")
        String absent() {
            throw new ResponseStatusException(HttpStatus.NOT_FOUND, "run " + runs.incrementAndGet());
        }

        @PostMapping("/advised")
        String advised() {
            throw new IllegalArgumentException("run " + runs.incrementAndGet());
        }

        @PostMapping("/upload")
        String upload(@RequestParam("file") MultipartFile file, @RequestParam("name") String name) throws Exception {
            return name + " has " + file.getBytes().length + " bytes in run " + runs.incrementAndGet();
        }
    }

    @RestControllerAdvice
    static class Advice {

        @ExceptionHandler
        ProblemDetail refuse(IllegalArgumentException e) {
            return ProblemDetail.forStatusAndDetail(HttpStatus.valueOf(422), e.getMessage());
        }
    }

    @BeforeAll
    static void start() {
        application = RunningApplication.plain(
                Application.class,
                "semel.store=memory:",
                "spring.mvc.problemdetails.enabled=true",
                // From Java 21 on: requests and their waiting on virtual threads.
                "spring.threads.virtual.enabled=true");
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @ParameterizedTest
    @CsvSource({
        "/deferred, 200",
        "/future, 202",
        "/streaming, 200",
        "/bytes, 200",
        "/empty, 204",
        "/absent, 404",
        "/advised, 422"
    })
    void is_the_same(String path, int status) {
        HttpResponse<String> first = application.post(path, key, "{}");
        HttpResponse<String> second = application.post(path, key, "{}");

        assertThat(first.statusCode()).isEqualTo(status);
        assertThat(RunningApplication.isReplay(first)).isFalse();
        assertSame(first, second);
    }

    @Test
    void is_the_same_for_an_upload() {
        HttpResponse<String> first = upload("one");
        HttpResponse<String> second = upload("two");

        assertThat(first.body()).startsWith("ann has 11 bytes in run ");
        assertSame(first, second);
    }

    /** Boundaries belong to one transmission, too. */
    private HttpResponse<String> upload(String boundary) {
        String body = """
                --%1$s\r
                Content-Disposition: form-data; name="name"\r
                \r
                ann\r
                --%1$s\r
                Content-Disposition: form-data; name="file"; filename="a.txt"\r
                Content-Type: text/plain\r
                \r
                hello world\r
                --%1$s--\r
                """.formatted(boundary);
        return application.send(HttpRequest.newBuilder(application.uri("/upload"))
                .header("Content-Type", "multipart/form-data; boundary=" + boundary)
                .header("Idempotency-Key", key)
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    private static void assertSame(HttpResponse<String> first, HttpResponse<String> second) {
        assertThat(RunningApplication.isReplay(second)).isTrue();
        assertThat(second.statusCode()).isEqualTo(first.statusCode());
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(kept(second)).isEqualTo(kept(first));
    }

    private static Map<String, List<String>> kept(HttpResponse<?> response) {
        return response.headers().map().entrySet().stream()
                .filter(header -> !TRANSMISSION.contains(header.getKey()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    @ParameterizedTest
    @CsvSource({"/forwarding, 'run \\d+'", "/including, 'run \\d+\\.'"})
    void what_another_handler_was_asked_to_answer_reaches_the_first_client_too(String path, String expected) {
        HttpResponse<String> first = application.post(path, key, "{}");
        HttpResponse<String> second = application.post(path, key, "{}");

        assertThat(first.body()).matches(expected);
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(RunningApplication.isReplay(second)).isTrue();
    }
}
