package dev.semel.examples.payments;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.examples.payments.provider.Provider;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("An application that cannot store its payments")
class StorageTroubleTest {

    @TempDir
    Path directory;

    @Test
    void answers_that_the_outcome_is_unknown_after_the_charge() throws IOException, SQLException {
        Path database = directory.resolve("semel.db");
        Books books = new Books(directory.resolve("provider"));
        try (Provider provider = Provider.start(0, books.providerDirectory());
                Service service = Service.start("sqlite:" + database, provider.uri())) {
            try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + database);
                    Statement statement = connection.createStatement()) {
                statement.execute("DROP TABLE payment");
            }

            for (int retry = 0; retry < 3; retry++) {
                HttpResponse<String> answer = service.api().pay("k1", Api.ORDER);

                assertThat(answer.statusCode()).isEqualTo(409);
                assertThat(answer.body()).contains("\"code\":\"idempotency_outcome_unknown\"");
            }
            assertThat(books.charges()).isEqualTo(1);
        }
    }
}
