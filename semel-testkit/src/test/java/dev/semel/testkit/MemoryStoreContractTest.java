package dev.semel.testkit;

import static dev.semel.testkit.contract.StoreVerbs.completed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Retention.Expiry;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.testkit.contract.HashedKeysContract;
import dev.semel.testkit.contract.ListingContract;
import dev.semel.testkit.contract.StoreContract;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MemoryStoreContractTest extends StoreContract implements ListingContract, HashedKeysContract {

    @Override
    protected StoreHarness open() {
        return new MemoryHarness();
    }

    @Test
    @DisplayName("what is claimed anew between two batches of one scan stays")
    void prune_between_batches() {
        for (int i = 0; i < 6; i++) {
            settle(granted("k" + i), completed("done"), Duration.ofMinutes(1 + i));
        }
        harness().elapse(Duration.ofHours(1));
        assertThat(prune(2, Expiry.DELETE)).isEqualTo(2);
        assertThat(settle(granted("k3"), completed("anew"), Duration.ofHours(1)))
                .isInstanceOf(SettleAnswer.Settled.class);
        assertThat(prune(2, Expiry.MARK)).isEqualTo(2);
        assertThat(prune(10, Expiry.DELETE)).isEqualTo(3);
        assertThat(find("k3")).isPresent();
    }
}
