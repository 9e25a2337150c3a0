package dev.semel.server.check.subject;

import dev.semel.server.check.wire.WireRequest;
import java.util.List;

/**
 * Something that is to happen once: a key, and a request that can be repeated unchanged.
 *
 * @param key without quotes
 * @param request with the key's header
 * @param values what placeholders became
 */
public record Intent(String key, WireRequest request, List<String> values) {

    public Intent {
        values = List.copyOf(values);
    }
}
