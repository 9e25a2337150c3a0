package dev.semel.examples.payments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("An application whose PostgreSQL stops")
class DatabaseOutageIT {

    @TempDir
    Path directory;

    @Test
    void refuses_to_charge_and_resumes_by_itself() throws IOException {
        try (Postgres postgres = Postgres.start(directory.resolve("postgres"));
                Service service = Service.start(directory, postgres.uri())) {
            Api api = service.api();
            HttpResponse<String> before = api.pay("before", Api.ORDER);
            assertThat(before.statusCode()).isEqualTo(201);

            postgres.stop();
            HttpResponse<String> during = api.pay("during", Api.ORDER);

            assertThat(during.statusCode()).isEqualTo(503);
            assertThat(Api.header(during, "Content-Type")).startsWith("application/problem+json");
            assertThat(Api.header(during, "Retry-After")).isNotEmpty();
            assertThat(during.body()).contains("\"code\":\"idempotency_store_unavailable\"");
            assertThat(api.pay("before", Api.ORDER).statusCode()).isEqualTo(503);
            assertThat(service.books().charges()).isEqualTo(1);

            postgres.startAgain();
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> api.pay("during", Api.ORDER).statusCode() == 201);

            assertThat(api.pay("before", Api.ORDER).body()).isEqualTo(before.body());
            assertThat(service.books().charges()).isEqualTo(2);
        }
    }
}
