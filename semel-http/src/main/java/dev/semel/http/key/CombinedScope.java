package dev.semel.http.key;

import dev.semel.Scope;
import dev.semel.fingerprint.Parts;
import java.util.ArrayList;
import java.util.List;

/** The scope of several strategies together. */
final class CombinedScope implements ScopeStrategy {

    private final List<ScopeStrategy> strategies;

    CombinedScope(List<ScopeStrategy> strategies) {
        this.strategies = List.copyOf(strategies);
    }

    @Override
    public ScopeResult resolve(KeyInput input) {
        List<String> parts = new ArrayList<>();
        for (ScopeStrategy strategy : strategies) {
            ScopeResult result = strategy.resolve(input);
            if (!(result instanceof ScopeResult.Found found)) {
                return result;
            }
            parts.add(found.scope().value());
        }
        return new ScopeResult.Found(joined(parts));
    }

    /** Each part is a scope already, so that joining them can only fail for length. */
    private static Scope joined(List<String> parts) {
        try {
            return Scope.of(parts.get(0), parts.subList(1, parts.size()).toArray(String[]::new));
        } catch (IllegalArgumentException tooLong) {
            Parts.Builder all = Parts.builder();
            parts.forEach(part -> all.add("part", part));
            return new Scope(ComposedKey.hashed(all.build()));
        }
    }
}
