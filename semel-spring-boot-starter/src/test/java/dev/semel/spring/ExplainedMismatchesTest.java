package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Identity;
import dev.semel.Scope;
import dev.semel.engine.SemelEngine;
import dev.semel.reconcile.RecordSearch;
import dev.semel.reconcile.StoredRecord;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@DisplayName("An application that explains mismatches")
@ExtendWith(OutputCaptureExtension.class)
class ExplainedMismatchesTest {

    private static final String KEY = "8e03978e-40d5-43dd-bc93-6894a57f9324";

    @TempDir
    private Path folder;

    @EnableAutoConfiguration
    @Import(Payments.class)
    static class Shop {

        @Bean
        MeterRegistry meters() {
            return new SimpleMeterRegistry();
        }

        @Bean
        InMemorySpanExporter spans() {
            return InMemorySpanExporter.create();
        }

        @Bean
        OpenTelemetry telemetry(InMemorySpanExporter spans) {
            return OpenTelemetrySdk.builder()
                    .setTracerProvider(SdkTracerProvider.builder()
                            .addSpanProcessor(SimpleSpanProcessor.create(spans))
                            .build())
                    .build();
        }
    }

    @RestController
    static class Payments {

        @PostMapping({"/payments", "/secret-payments"})
        @ResponseStatus(HttpStatus.CREATED)
        String pay(@RequestBody String payment) {
            return payment.isEmpty() ? "nothing" : "paid";
        }
    }

    private RunningApplication start(String... properties) {
        List<String> all = new ArrayList<>(List.of(properties));
        all.add("semel.store=sqlite:" + folder.resolve("semel.db"));
        all.add("logging.level.dev.semel=trace");
        return RunningApplication.plain(Shop.class, all.toArray(String[]::new));
    }

    private String stored() throws IOException {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                all.append(Files.readString(file, StandardCharsets.ISO_8859_1));
            }
        }
        return all.toString();
    }

    @Test
    @DisplayName("I7: no value of a request is in an answer, a log line, a stored byte, a meter or a span")
    void no_value(CapturedOutput output) throws IOException {
        try (RunningApplication shop = start()) {
            List<HttpResponse<String>> answers = new ArrayList<>();
            for (String body : List.of(
                    "{\"amount\":\"m4rked1\",\"gone\":\"m4rked2\"}",
                    "{\"amount\":\"m4rked1\",\"gone\":\"m4rked2\"}",
                    "{\"amount\":\"m4rked3\",\"new\":[\"m4rked4\"]}")) {
                answers.add(shop.post("/payments?q=m4rked5", KEY, body));
            }
            HttpResponse<String> mismatch = answers.get(2);
            assertThat(mismatch.statusCode()).isEqualTo(422);
            assertThat(mismatch.body())
                    .contains("\"errors\":[{\"pointer\":\"/amount\",\"kind\":\"changed\"},"
                            + "{\"pointer\":\"/gone\",\"kind\":\"missing\"},"
                            + "{\"pointer\":\"/new\",\"kind\":\"added\"}]");

            assertThat(answers)
                    .allSatisfy(answer ->
                            assertThat(answer.body() + answer.headers().map()).doesNotContain("m4rked"));
            assertThat(stored()).contains("POST /payments", KEY).doesNotContain("m4rked");
            assertThat(output.getAll()).doesNotContain("m4rked");
            assertThat(shop.bean(MeterRegistry.class).getMeters())
                    .anyMatch(meter -> meter.getId().toString().contains("key_misuse"))
                    .noneMatch(meter -> (meter.getId() + "" + meter.measure()).contains("m4rked"));
            assertThat(shop.bean(InMemorySpanExporter.class).getFinishedSpanItems())
                    .isNotEmpty()
                    .noneMatch(span -> span.toString().contains("m4rked"));
        }
    }

    @Test
    void shows_operators_the_request_and_neither_its_outline_nor_the_secret() {
        try (RunningApplication shop = start()) {
            shop.post("/payments", KEY, "{\"amount\":1}");
            List<StoredRecord> records = shop.bean(SemelEngine.class)
                    .records()
                    .search(RecordSearch.newest(RecordSearch.Filter.ALL, 10))
                    .records();
            assertThat(records).extracting(StoredRecord::request).containsExactly("POST /payments");
        }
    }

    @Test
    @DisplayName("off by one property: nothing is said, and nothing is stored")
    void off() throws IOException {
        try (RunningApplication shop = start("semel.http.explain-mismatches=false")) {
            shop.post("/payments", KEY, "{\"amount\":1}");
            assertThat(shop.post("/payments", KEY, "{\"amount\":2}").body()).doesNotContain("errors");
            assertThat(shop.bean(SemelEngine.class)
                            .find(Identity.of(Scope.ANONYMOUS.value(), KEY))
                            .orElseThrow()
                            .holder())
                    .matches("[0-9a-f]{32} POST /payments");
            assertThat(stored()).contains(KEY).doesNotContain("explanation-secret");
        }
    }

    @Test
    @DisplayName("uses the secret of fingerprints or of hashed keys, where there is one, instead of one in the store")
    void derived_secret() throws IOException {
        String secret = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=";
        try (RunningApplication shop = start("semel.fingerprints.current=f1", "semel.fingerprints.keys.f1=" + secret)) {
            shop.post("/payments", KEY, "{\"amount\":1}");
            assertThat(shop.post("/payments", KEY, "{\"amount\":2}").body()).contains("/amount");
        }
        assertThat(stored()).contains("v1.f1:").doesNotContain("explanation-secret");
    }

    @Test
    void is_silent_about_an_operation_that_says_so_and_takes_a_secret_from_configuration() throws IOException {
        try (RunningApplication shop = start(
                "semel.operations.secret-payment.match=POST /secret-payments",
                "semel.operations.secret-payment.explain-mismatches=false",
                "semel.explanation-secret=MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=")) {
            shop.post("/secret-payments", KEY, "{\"amount\":1}");
            assertThat(shop.post("/secret-payments", KEY, "{\"amount\":2}").body())
                    .doesNotContain("errors");
            shop.post("/payments", KEY + "-2", "{\"amount\":1}");
            assertThat(shop.post("/payments", KEY + "-2", "{\"amount\":2}").body())
                    .contains("\"errors\":[{\"pointer\":\"/amount\",\"kind\":\"changed\"}]");
            assertThat(stored()).doesNotContain("explanation-secret");
        }
    }
}
