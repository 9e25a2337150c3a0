package dev.semel.spi;

import dev.semel.Identity;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** A store that can show some of the records that it holds. */
public interface ListingStore extends Store {

    /**
     * The identities of at most {@code limit} records, in whatever state they are, also past their retention, and in any
     * order. Fewer than {@code limit} are all that there are.
     */
    CompletionStage<List<Identity>> some(int limit);
}
