package dev.semel.examples.payments.provider;

import static dev.semel.examples.payments.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A method of payment")
class PaymentMethodTest {

    /** Late enough for a repetition before, and soon enough to wait for. */
    private static final Duration LATE_BY = Duration.ofMillis(200);

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @TempDir
    Path directory;

    private RunningProvider provider;

    @BeforeEach
    void start() throws IOException {
        provider = RunningProvider.start(directory, ProviderSettings.defaults().lateBy(LATE_BY));
    }

    @AfterEach
    void stop() throws IOException {
        provider.close();
    }

    @Test
    void pm_declined_is_answered_with_402_and_charges_nothing() {
        HttpResponse<String> first = provider.charge("k1", "pm_declined");

        assertThat(first.statusCode()).isEqualTo(402);
        assertThat(provider.charge("k1", "pm_declined").body()).isEqualTo(first.body());
        assertThat(provider.get("/ledger").body()).isEqualTo("[]");
        assertThat(provider.charges()).isZero();
        assertThat(provider.get("/charges?key=k1").body()).isEqualTo(first.body());
    }

    @Test
    void pm_error_is_answered_with_500_and_charges_nothing() {
        assertThat(provider.charge("k1", "pm_error").statusCode()).isEqualTo(500);
        assertThat(provider.charges()).isZero();
        assertThat(provider.get("/charges?key=k1").statusCode()).isEqualTo(404);
    }

    @Test
    void pm_slow_has_charged_before_it_is_answered() {
        var answer = provider.chargeAsync("k1", "pm_slow");

        await().until(() -> provider.charges() == 1);
        assertThat(answer).isNotDone();
        assertThat(answer.join().statusCode()).isEqualTo(201);
    }

    @Test
    void pm_timeout_charged_charges_at_once_and_is_never_answered() throws Exception {
        var first = provider.chargeAsync("k1", "pm_timeout_charged");
        await().until(() -> provider.charges() == 1);
        provider.assertNoAnswer("k1", "pm_timeout_charged");

        assertThat(provider.get("/charges?key=k1").statusCode()).isEqualTo(200);
        assertThat(provider.charges()).isEqualTo(1);
        assertThat(first).isNotDone();
        provider.stop();
        assertThat(first).failsWithin(PATIENCE);
    }

    @Test
    void pm_timeout_not_charged_drops_the_first_request_and_charges_the_second() {
        var first = provider.chargeAsync("k1", "pm_timeout_not_charged");
        await().until(() -> provider.dropped() == 1);
        assertThat(provider.get("/charges?key=k1").statusCode()).isEqualTo(404);
        assertThat(provider.charges()).isZero();

        HttpResponse<String> second = provider.charge("k1", "pm_timeout_not_charged");

        assertThat(second.statusCode()).isEqualTo(201);
        assertThat(provider.charge("k1", "pm_timeout_not_charged").body()).isEqualTo(second.body());
        assertThat(provider.get("/charges?key=k1").body()).isEqualTo(second.body());
        assertThat(provider.charges()).isEqualTo(1);
        assertThat(first).isNotDone();
    }

    @Test
    void pm_timeout_not_charged_drops_every_key_once() {
        provider.chargeAsync("k1", "pm_timeout_not_charged");
        provider.chargeAsync("k2", "pm_timeout_not_charged");

        await().until(() -> provider.dropped() == 2);
        assertThat(provider.charges()).isZero();
    }

    @Test
    void pm_timeout_not_charged_drops_nothing_again_after_a_restart() throws Exception {
        provider.chargeAsync("k1", "pm_timeout_not_charged");
        await().until(() -> provider.dropped() == 1);
        provider.stop();
        provider.start(ProviderSettings.defaults());

        assertThat(provider.charge("k1", "pm_timeout_not_charged").statusCode()).isEqualTo(201);
        assertThat(provider.charges()).isEqualTo(1);
    }

    @Test
    void pm_timeout_not_charged_drops_nothing_that_was_charged_before() {
        String charged = provider.charge("k1", "pm_ok").body();

        assertThat(provider.charge("k1", "pm_timeout_not_charged").body()).isEqualTo(charged);
        assertThat(provider.charges()).isEqualTo(1);
    }

    @Test
    void pm_late_is_not_found_before_it_is_charged() throws Exception {
        provider.stop();
        provider.start(ProviderSettings.defaults().lateBy(Duration.ofHours(1)));

        provider.assertNoAnswer("k1", "pm_late");
        provider.assertNoAnswer("k1", "pm_late");

        assertThat(provider.get("/charges?key=k1").statusCode()).isEqualTo(404);
        assertThat(provider.get("/ledger").body()).isEqualTo("[]");
        assertThat(provider.charges()).isZero();
    }

    @Test
    void pm_late_charges_although_its_caller_disconnected() throws Exception {
        provider.chargeAndHangUp("k1", "pm_late");

        await().until(() -> provider.charges() == 1);
        HttpResponse<String> found = provider.get("/charges?key=k1");
        assertThat(found.statusCode()).isEqualTo(200);
        HttpResponse<String> again = provider.charge("k1", "pm_late");
        assertThat(again.statusCode()).isEqualTo(201);
        assertThat(again.body()).isEqualTo(found.body());
        assertThat(provider.charges()).isEqualTo(1);
    }

    @Test
    void pm_late_charges_once_for_repeated_requests() {
        IntStream.range(0, 8).forEach(i -> provider.chargeAsync("k1", "pm_late"));
        assertThat(provider.charge("k1", "pm_ok").statusCode()).isEqualTo(201);

        // Usually sent after the others, and so charged after them.
        provider.chargeAsync("k2", "pm_late");
        await().until(() -> provider.get("/charges?key=k2").statusCode() == 200);
        assertThat(provider.charges()).isEqualTo(2);
    }

    @Test
    void pm_late_cannot_have_a_negative_delay() {
        assertThatThrownBy(() -> ProviderSettings.defaults().lateBy(Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
