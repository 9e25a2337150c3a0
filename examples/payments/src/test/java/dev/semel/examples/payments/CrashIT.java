package dev.semel.examples.payments;

import static dev.semel.examples.payments.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("An application on SQLite that is killed")
class CrashIT {

    @TempDir
    Path directory;

    private Books books;

    @BeforeEach
    void findBooks() {
        books = new Books(directory.resolve("provider"));
    }

    @Test
    void gives_the_same_answer_again_after_a_restart() {
        HttpResponse<String> first;
        try (Program demo = demo()) {
            first = Api.acme(demo.awaitReady("Semel demo is ready")).pay("k1", Api.ORDER);
            demo.kill();
        }
        assertThat(first.statusCode()).isEqualTo(201);

        try (Program demo = demo()) {
            Api api = Api.acme(demo.awaitReady("Semel demo is ready"));
            HttpResponse<String> again = api.pay("k1", Api.ORDER);

            assertThat(again.statusCode()).isEqualTo(201);
            assertThat(again.body()).isEqualTo(first.body());
            assertThat(Api.header(again, "Location")).isEqualTo(Api.header(first, "Location"));
            assertThat(Api.header(again, "Content-Type")).isEqualTo(Api.header(first, "Content-Type"));
            assertThat(Api.isReplay(again)).isTrue();
            assertThat(api.get(Api.header(again, "Location")).body()).isEqualTo(first.body());
            assertThat(books.charges()).isEqualTo(1);
        }
    }

    @Test
    void settles_the_charge_during_which_it_was_killed() {
        try (Program demo = demo()) {
            var answer =
                    Api.acme(demo.awaitReady("Semel demo is ready")).payAsync("/payments", "k1", Api.order("pm_slow"));
            await().until(() -> books.charges() == 1);
            demo.kill();
            assertThat(answer).failsWithin(Duration.ofSeconds(10));
        }

        try (Program demo = demo()) {
            Api api = Api.acme(demo.awaitReady("Semel demo is ready"));
            await().until(() -> api.pay("k1", Api.order("pm_slow")).statusCode() == 201);
            HttpResponse<String> retry = api.pay("k1", Api.order("pm_slow"));

            assertThat(Api.isReplay(retry)).isTrue();
            assertThat(api.status("k1").body()).isEqualTo(retry.body());
            assertThat(api.get(Api.header(retry, "Location")).body()).isEqualTo(retry.body());
            assertThat(books.charges()).isEqualTo(1);
        }
    }

    private Program demo() {
        return Program.start(
                Demo.class, "--port=0", "--provider-port=0", "--no-traffic", "--lease=1s", "--data=" + directory);
    }
}
