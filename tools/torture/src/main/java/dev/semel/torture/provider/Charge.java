package dev.semel.torture.provider;

import dev.semel.Identity;
import java.util.List;

/**
 * A request to charge.
 *
 * @param downstreamKey the same on every attempt of one intent; the provider finds charges by it, and does nothing else
 *     with it
 * @param identity for the ledger
 * @param fence of the attempt that sends it, for the ledger; zero when there is none
 */
public record Charge(String downstreamKey, Identity identity, long fence, String meaning, Treatment treatment) {

    public List<String> words() {
        return List.of(
                downstreamKey,
                identity.scope().value(),
                identity.key().value(),
                String.valueOf(fence),
                meaning,
                treatment.name());
    }

    static Charge of(List<String> words) {
        return new Charge(
                words.get(0),
                Identity.of(words.get(1), words.get(2)),
                Long.parseLong(words.get(3)),
                words.get(4),
                Treatment.valueOf(words.get(5)));
    }
}
