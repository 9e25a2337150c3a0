package dev.semel.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;

/** The verbs as scripts, each in a file of its name. */
final class Scripts {

    enum Verb {
        CLAIM,
        SETTLE,
        RENEW,
        STEP,
        FIND,
        SWEEP,
        DUE,
        RECONCILE,
        PURSUE,
        UNKNOWN,
        RIPE,
        PRUNE,
        INSPECT
    }

    /** What stands before each verb's own text. */
    private static final String COMMON = "record.lua";

    /**
     * A full server refuses what begins something new, and goes on with what has begun: an effect that has happened is to be
     * written down. Claims are judged by their first write, so that they still replay.
     */
    private static final String ALSO_WHEN_FULL = "#!lua flags=allow-oom\n";

    private static final Set<Verb> BEGINNING_OR_READING = EnumSet.of(Verb.CLAIM, Verb.FIND, Verb.RIPE, Verb.UNKNOWN);

    private final Map<Verb, Script> scripts = new EnumMap<>(Verb.class);

    /** As the files read after this. */
    Scripts(UnaryOperator<String> reading) {
        String common = read(COMMON);
        for (Verb verb : Verb.values()) {
            String own = read(verb.name().toLowerCase(Locale.ROOT) + ".lua");
            String first = BEGINNING_OR_READING.contains(verb) ? "" : ALSO_WHEN_FULL;
            scripts.put(verb, Script.of(first + reading.apply(common + "\n" + own)));
        }
    }

    Script of(Verb verb) {
        return Objects.requireNonNull(scripts.get(verb));
    }

    static String read(String file) {
        try (InputStream in = Scripts.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("this jar lacks " + file);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
