package dev.semel.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.Scope;
import dev.semel.key.KeyFinding;
import dev.semel.key.KeyHygiene;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("poor keys")
class PoorKeysTest extends EngineFixture {

    private static final Key EMAIL = Key.of("jane@example.com");
    private static final Key SHORT = Key.of("order-42");
    private static final Key GOOD = Key.of("8e03978e-40d5-43dd-bc93-6894a57f9324");
    private static final Scope ACME = Scope.of("acme");

    private final Logger logger = Logger.getLogger("dev.semel");
    private final List<LogRecord> logged = new CopyOnWriteArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord record) {
            logged.add(record);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        logger.addHandler(handler);
    }

    @AfterEach
    void stop() {
        logger.removeHandler(handler);
    }

    private List<String> warnings() {
        return logged.stream()
                .filter(record -> record.getLevel() == Level.WARNING)
                .map(record -> new SimpleFormatter().formatMessage(record))
                .toList();
    }

    @Test
    void reach_listeners_counters_and_a_warning_without_the_key() {
        assertThat(semel.inspect(CHARGE, ACME, EMAIL, KeyHygiene.WARN)).contains(KeyFinding.EMAIL_ADDRESS);

        assertThat(events)
                .containsExactly(new Event.PoorKey("charge", ACME, KeyFinding.EMAIL_ADDRESS, false))
                .allSatisfy(event -> assertThat(event.toString()).doesNotContain("jane"));
        assertThat(warnings())
                .singleElement()
                .satisfies(text -> assertThat(text)
                        .contains("charge", EMAIL.redacted(), "looks like an e-mail address", "accepted")
                        .doesNotContain("jane"));
    }

    @Test
    void that_are_refused_say_so() {
        assertThat(semel.inspect(CHARGE, ACME, SHORT, KeyHygiene.REFUSE)).contains(KeyFinding.LOW_VARIETY);

        assertThat(events).containsExactly(new Event.PoorKey("charge", ACME, KeyFinding.LOW_VARIETY, true));
        assertThat(warnings())
                .singleElement()
                .satisfies(text -> assertThat(text).contains("refused"));
    }

    @Test
    void are_warned_of_once_an_hour_for_each_operation_by_the_engines_timer() {
        for (int i = 0; i < 1000; i++) {
            semel.inspect(CHARGE, ACME, Key.of("order-" + i), KeyHygiene.WARN);
            semel.inspect(Operation.named("refund"), ACME, EMAIL, KeyHygiene.WARN);
        }
        assertThat(events).hasSize(2000);
        assertThat(warnings()).hasSize(2);

        time.advance(Duration.ofMinutes(59));
        semel.inspect(CHARGE, ACME, SHORT, KeyHygiene.WARN);
        assertThat(warnings()).hasSize(2);

        time.advance(Duration.ofMinutes(1));
        semel.inspect(CHARGE, ACME, SHORT, KeyHygiene.WARN);
        semel.inspect(CHARGE, ACME, SHORT, KeyHygiene.WARN);
        assertThat(warnings()).hasSize(3);
    }

    @Test
    void good_ones_and_ignored_ones_are_not_reported() {
        assertThat(semel.inspect(CHARGE, ACME, GOOD, KeyHygiene.REFUSE)).isEmpty();
        assertThat(semel.inspect(CHARGE, ACME, EMAIL, KeyHygiene.IGNORE)).isEmpty();

        assertThat(events).isEmpty();
        assertThat(warnings()).isEmpty();
    }
}
