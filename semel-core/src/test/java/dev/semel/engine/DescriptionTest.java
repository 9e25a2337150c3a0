package dev.semel.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Codec;
import dev.semel.Intent;
import dev.semel.NotExecutedException;
import dev.semel.reconcile.AuditEntry;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("a description of the request")
class DescriptionTest extends EngineFixture {

    private static String described(String request) {
        return intent(CHARGE).describedAs(request).description();
    }

    @Test
    void is_on_the_record_and_each_claim_has_its_own() {
        List<Intent> requests = List.of(
                intent(CHARGE).describedAs("POST /payments/42"), intent(CHARGE).describedAs("PUT /payments/42"));
        try {
            semel.execute(requests.get(0), Codec.text(), attempt -> {
                throw new NotExecutedException("sold out");
            });
        } catch (NotExecutedException expected) {
            executions++;
        }
        semel.execute(requests.get(1), Codec.text(), attempt -> "done");

        assertThat(executions).isEqualTo(1);
        assertThat(onRecord().request()).isEqualTo("PUT /payments/42");
        assertThat(semel.unknownOutcomes().history(ID))
                .extracting(AuditEntry::request)
                .containsExactly("POST /payments/42", "POST /payments/42", "PUT /payments/42", "PUT /payments/42");
        assertThat(semel.unknownOutcomes().history(ID))
                .extracting(AuditEntry::actor)
                .allMatch(actor -> actor.matches("[0-9a-f]{32}"));
    }

    @Test
    void is_on_no_record_where_there_is_none() {
        execute(CHARGE);

        assertThat(onRecord().request()).isNull();
        assertThat(onRecord().holder()).matches("[0-9a-f]{32}");
    }

    @Test
    void is_one_line_that_every_store_can_hold() {
        assertThat(described("POST /a\nFORGED line")).isEqualTo("POST /a?FORGED line");
        assertThat(described("\u0000\u001b[2J \u2028\ud800x")).isEqualTo("??[2J ??x");
        assertThat(described("POST /payments/42 \ud83d\ude00")).isEqualTo("POST /payments/42 \ud83d\ude00");
        assertThat(described("  ")).isNull();
        assertThat(described("x".repeat(200))).isEqualTo("x".repeat(200));
        assertThat(described("x".repeat(10_000))).isEqualTo("x".repeat(199) + "…");
    }

    @Test
    void stays_when_another_fingerprint_is_recognized() {
        assertThat(intent(CHARGE).describedAs("POST /a").sameAs(other -> true).description())
                .isEqualTo("POST /a");
    }
}
