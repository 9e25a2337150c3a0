package dev.semel.redis.tiered;

import static dev.semel.testkit.contract.StoreVerbs.request;
import static dev.semel.testkit.contract.StoreVerbs.response;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.Changes;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Granted records")
class GrantsTest {

    private final Grants grants = new Grants();

    private static StoredRecord granted(int number) {
        return Changes.granted(request("k" + number), number, Instant.EPOCH);
    }

    @Test
    @DisplayName("are removed when their lease is settled")
    void removed() {
        grants.add(granted(1));
        assertThat(grants.remove(granted(2).lease())).isNull();
        assertThat(Objects.requireNonNull(grants.remove(granted(1).lease())).lease())
                .isEqualTo(granted(1).lease());
        assertThat(grants.remove(granted(1).lease())).isNull();
    }

    @Test
    @DisplayName("are dropped for newer ones, the oldest first")
    void bounded() {
        for (int i = 0; i < Grants.MAX + 10; i++) {
            grants.add(granted(i));
        }
        assertThat(grants.size()).isEqualTo(Grants.MAX);
        assertThat(grants.remove(granted(9).lease())).isNull();
        assertThat(grants.remove(granted(10).lease())).isNotNull();
    }

    @Test
    @DisplayName("are kept without their steps, which can be large")
    void small() {
        StoredRecord stepped = Changes.stepped(granted(1), "charge", response("charged"));
        grants.add(stepped);
        assertThat(Objects.requireNonNull(grants.remove(stepped.lease()))
                        .steps()
                        .isEmpty())
                .isTrue();
    }
}
