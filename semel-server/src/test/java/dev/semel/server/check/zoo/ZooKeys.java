package dev.semel.server.check.zoo;

import com.sun.net.httpserver.HttpExchange;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The keys of requests: correct in one of two styles, or with one defect. */
final class ZooKeys {

    private static final int LONGEST_KEY = 255;

    private final ZooServer.Style style;
    private final @Nullable Defect defect;

    ZooKeys(ZooServer.Style style, @Nullable Defect defect) {
        this.style = style;
        this.defect = defect;
    }

    private boolean has(Defect other) {
        return defect == other;
    }

    /** The key, without quotes in the draft's style; empty when there is none. */
    Optional<String> of(HttpExchange exchange) {
        List<String> lines = exchange.getRequestHeaders().getOrDefault("Idempotency-Key", List.of());
        if (lines.size() > 1 && !has(Defect.IGNORES_REPEATED_KEYS)) {
            throw new Refusal(400, "there are two keys");
        }
        if (lines.size() != 1) {
            return none(lines.isEmpty() && !has(Defect.EXECUTES_WITHOUT_REQUIRED_KEY));
        }
        String line = lines.get(0);
        if (line.isEmpty() && has(Defect.SHARES_THE_EMPTY_KEY)) {
            return Optional.of("");
        }
        boolean quotedEmpty = style.isDraft() && line.equals("\"\"") && !has(Defect.SHARES_THE_QUOTED_EMPTY_KEY);
        if (line.isEmpty() || quotedEmpty) {
            return none(true);
        }
        if (line.length() > 1000 && has(Defect.FAILS_ON_LONG_KEYS)) {
            throw new Refusal(500, "the column is too short");
        }
        if (has(Defect.TRUNCATES_KEYS)) {
            return Optional.of(
                    bare(line).substring(0, Math.min(LONGEST_KEY, bare(line).length())));
        }
        boolean wellFormed = line.chars().allMatch(c -> c >= ' ' && c <= '~')
                && line.startsWith("\"") == (line.endsWith("\"") && line.length() > 1);
        if (style.isDraft() && !wellFormed && has(Defect.IGNORES_MALFORMED_KEYS)) {
            return Optional.empty();
        }
        if (style.isDraft() && !wellFormed || line.length() > LONGEST_KEY + 2) {
            throw new Refusal(400, "the key is malformed");
        }
        String key = style.isDraft() ? bare(line) : line;
        return Optional.of(has(Defect.FOLDS_CASE_OF_KEYS) ? key.toLowerCase(Locale.ROOT) : key);
    }

    private Optional<String> none(boolean refused) {
        if (refused && style.isDraft()) {
            throw new Refusal(400, "a key is required");
        }
        return Optional.empty();
    }

    /** What a record is found by. */
    String identity(String owner, String key) {
        boolean global = has(Defect.GLOBAL_KEYS)
                || has(Defect.LEAKS_ANOTHER_TENANTS_BODY)
                || has(Defect.REFUSES_KEYS_OF_OTHER_ACCOUNTS);
        return global ? key : owner + "|" + key;
    }

    static String bare(@Nullable String line) {
        return line == null ? "" : line.replaceFirst("^\"(.*)\"$", "$1");
    }
}
