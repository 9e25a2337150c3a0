package dev.semel.torture.app;

import dev.semel.Identity;
import dev.semel.torture.provider.Treatment;
import java.util.List;

/**
 * What a client asks for.
 *
 * @param meaning two requests mean the same when this is equal
 * @param treatment how the provider will treat it
 * @param keeping how long the record is kept
 * @param patient whether the request waits for another that is running
 */
public record Payment(Identity identity, String meaning, Treatment treatment, Keeping keeping, boolean patient) {

    public List<String> words() {
        return List.of(
                identity.scope().value(),
                identity.key().value(),
                meaning,
                treatment.name(),
                keeping.name(),
                String.valueOf(patient));
    }

    static Payment of(List<String> words) {
        return new Payment(
                Identity.of(words.get(0), words.get(1)),
                words.get(2),
                Treatment.valueOf(words.get(3)),
                Keeping.valueOf(words.get(4)),
                Boolean.parseBoolean(words.get(5)));
    }
}
