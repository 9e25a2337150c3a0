package dev.semel.examples.payments;

import static dev.semel.examples.payments.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.examples.payments.provider.Provider;
import dev.semel.testsupport.servers.PostgresServer;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("An application whose PostgreSQL stops")
class DatabaseOutageIT {

    @TempDir
    Path directory;

    @Test
    void refuses_to_charge_and_resumes_by_itself() throws IOException {
        Books books = new Books(directory.resolve("provider"));
        try (PostgresServer postgres = PostgresServer.builder()
                        .dataDirectory(directory.resolve("postgres"))
                        .start();
                Provider provider = Provider.start(0, books.providerDirectory());
                Service service = Service.start(postgres.uri(), provider.uri())) {
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
            assertThat(books.charges()).isEqualTo(1);

            postgres.restart();
            await().until(() -> api.pay("during", Api.ORDER).statusCode() == 201);

            assertThat(api.pay("before", Api.ORDER).body()).isEqualTo(before.body());
            assertThat(books.charges()).isEqualTo(2);
        }
    }
}
