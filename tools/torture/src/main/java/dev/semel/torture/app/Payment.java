package dev.semel.torture.app;

import dev.semel.Identity;
import dev.semel.torture.provider.Treatment;
import java.util.List;

/**
 * What a client asks for.
 *
 * @param meaning two requests mean the same when this is equal
 * @param treatment how the provider will treat it
 * @param brief whether the record is kept for a short time only, and its key used again
 * @param patient whether the request waits for another that is running
 */
public record Payment(Identity identity, String meaning, Treatment treatment, boolean brief, boolean patient) {

    public List<String> words() {
        return List.of(
                identity.scope().value(),
                identity.key().value(),
                meaning,
                treatment.name(),
                String.valueOf(brief),
                String.valueOf(patient));
    }

    static Payment of(List<String> words) {
        return new Payment(
                Identity.of(words.get(0), words.get(1)),
                words.get(2),
                Treatment.valueOf(words.get(3)),
                Boolean.parseBoolean(words.get(4)),
                Boolean.parseBoolean(words.get(5)));
    }
}
