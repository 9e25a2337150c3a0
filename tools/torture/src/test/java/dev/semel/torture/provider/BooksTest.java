package dev.semel.torture.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Identity;
import dev.semel.testkit.ManualTime;
import dev.semel.torture.history.LedgerEvent;
import dev.semel.torture.history.Receipt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The provider's books")
class BooksTest {

    private static final Identity KEY = Identity.of("acme", "k1");
    private static final Duration LATE = Duration.ofSeconds(2);

    private final ManualTime time = new ManualTime();
    private final List<LedgerEvent> ledger = new ArrayList<>();
    private final Books books = new Books(ledger::add, time, time::after, LATE);

    private CompletableFuture<Optional<Receipt>> charge(Treatment treatment) {
        return books.charge(new Charge("downstream", KEY, 7, "m1", treatment)).toCompletableFuture();
    }

    private long charges() {
        return ledger.stream().filter(LedgerEvent.Charged.class::isInstance).count();
    }

    private Optional<Receipt> found() {
        return books.lookUp("downstream", "m1", KEY);
    }

    @Test
    void have_a_line_for_every_repetition() {
        charge(Treatment.PROMPT);
        charge(Treatment.PROMPT);

        assertThat(charges()).isEqualTo(2);
    }

    @Test
    void tell_what_was_charged_or_declined() {
        assertThat(charge(Treatment.PROMPT).join()).contains(new Receipt("a1", "m1", true));
        assertThat(found()).contains(new Receipt("a1", "m1", true));
        assertThat(books.lookUp("downstream", "m2", KEY)).isEmpty();
    }

    @Test
    void have_no_charge_when_it_was_refused() {
        assertThat(charge(Treatment.REFUSE).join()).isEmpty();
        assertThat(charges()).isZero();
        assertThat(found()).isEmpty();
    }

    @Test
    void have_a_late_charge_that_is_not_answered() {
        CompletableFuture<Optional<Receipt>> answer = charge(Treatment.LATE);
        time.advance(LATE.minusMillis(1));
        assertThat(charges()).isZero();
        assertThat(found()).isEmpty();

        time.advance(Duration.ofMillis(1));
        assertThat(charges()).isEqualTo(1);
        assertThat(found()).isPresent();
        assertThat(answer).isNotDone();
    }
}
