package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@DisplayName("An application with the starter and nothing said about it")
class QuickstartTest {

    @TempDir
    Path directory;

    private RunningApplication application;

    @EnableAutoConfiguration
    @RestController
    static class Payments {

        private final AtomicInteger taken = new AtomicInteger();

        @PostMapping("/payments")
        @ResponseStatus(HttpStatus.CREATED)
        Map<String, Object> pay(@RequestBody Map<String, Object> payment) {
            return Map.of("number", taken.incrementAndGet(), "amount", payment.get("amount"));
        }
    }

    @BeforeEach
    void start() {
        application = RunningApplication.plain(Payments.class, "semel.store=sqlite:" + directory.resolve("semel.db"));
    }

    @AfterEach
    void stop() {
        application.close();
    }

    @Test
    void replays_the_second_request_with_the_same_key() {
        HttpResponse<String> first = application.post("/payments", "k-1", "{\"amount\":100}");
        HttpResponse<String> second = application.post("/payments", "k-1", "{\"amount\": 100 }");

        assertThat(first.statusCode()).isEqualTo(201);
        assertThat(first.body()).contains("\"number\":1");
        assertThat(RunningApplication.isReplay(first)).isFalse();
        assertThat(second.statusCode()).isEqualTo(201);
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(RunningApplication.isReplay(second)).isTrue();
    }

    @Test
    void refuses_the_key_for_another_payment() {
        application.post("/payments", "k-2", "{\"amount\":100}");

        assertThat(application.post("/payments", "k-2", "{\"amount\":200}").statusCode())
                .isEqualTo(422);
    }
}
