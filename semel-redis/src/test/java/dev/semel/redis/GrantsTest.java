package dev.semel.redis;

import static dev.semel.testkit.contract.StoreVerbs.request;
import static dev.semel.testkit.contract.StoreVerbs.response;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.Changes;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Leases that have not ended")
class GrantsTest {

    private final Grants grants = new Grants();

    private static StoredRecord granted(int number) {
        return Changes.granted(request("k" + number), number, Instant.EPOCH);
    }

    @Test
    @DisplayName("are forgotten when they end")
    void forgotten() {
        grants.remember(granted(1));
        assertThat(grants.forget(granted(2).lease())).isNull();
        assertThat(Objects.requireNonNull(grants.forget(granted(1).lease())).lease())
                .isEqualTo(granted(1).lease());
        assertThat(grants.forget(granted(1).lease())).isNull();
    }

    @Test
    @DisplayName("make room for newer ones, the oldest first")
    void bounded() {
        for (int i = 0; i < Grants.MOST + 10; i++) {
            grants.remember(granted(i));
        }
        assertThat(grants.size()).isEqualTo(Grants.MOST);
        assertThat(grants.forget(granted(9).lease())).isNull();
        assertThat(grants.forget(granted(10).lease())).isNotNull();
    }

    @Test
    @DisplayName("are kept without their steps, which can be large")
    void small() {
        StoredRecord stepped = Changes.stepped(granted(1), "charge", response("charged"));
        grants.remember(stepped);
        assertThat(Objects.requireNonNull(grants.forget(stepped.lease()))
                        .steps()
                        .isEmpty())
                .isTrue();
    }
}
