package dev.semel.testkit.contract;

import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.id;
import static dev.semel.testkit.contract.StoreVerbs.notExecuted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Identity;
import dev.semel.Retention.Expiry;
import dev.semel.engine.Store;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What {@link Store#sample} returns; records that a store keeps for itself, under {@code dev.semel…}, do not count here. */
public interface ListingContract extends StoreVerbs {

    default List<Identity> some(int limit) {
        return store().sample(limit).stream()
                .filter(identity -> !identity.scope().value().startsWith("dev.semel"))
                .toList();
    }

    @Test
    @DisplayName("a store without records lists none")
    default void lists_none() {
        assertThat(some(10)).isEmpty();
    }

    @Test
    @DisplayName("records in every state are listed, also past their retention, until they are deleted")
    default void lists_every_state() {
        settle(granted("completed"), completed("done"));
        settle(granted("failed"), notExecuted());
        harness().elapse(RETENTION.plusSeconds(1));
        granted("live");
        unknownLease("unknown");
        assertThat(some(10)).containsExactlyInAnyOrder(id("completed"), id("failed"), id("live"), id("unknown"));

        store().prune(10, Expiry.DELETE);
        assertThat(some(10)).containsExactlyInAnyOrder(id("live"), id("unknown"));
    }

    @Test
    @DisplayName("no more records are listed than were asked for")
    default void lists_so_many() {
        for (int i = 0; i < 5; i++) {
            granted("k" + i);
        }
        assertThat(store().sample(3)).hasSize(3).doesNotHaveDuplicates();
        assertThat(some(10)).hasSize(5);
    }
}
