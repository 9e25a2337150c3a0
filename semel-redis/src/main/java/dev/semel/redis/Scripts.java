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
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The verbs as scripts, each made of a few files that follow each other. */
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
        RESCHEDULE,
        LIST_UNKNOWN,
        RIPE,
        PRUNE,
        INSPECT
    }

    /** What stands before everything else. */
    private static final String COMMON = "common";

    /**
     * A full server refuses what begins something new, and goes on with what has begun: an effect that has happened is to be
     * written down. Claims are judged by their first write, so that they still replay.
     */
    private static final String ALSO_WHEN_FULL = "#!lua flags=allow-oom\n";

    private static final Set<Verb> BEGINNING_OR_READING =
            EnumSet.of(Verb.CLAIM, Verb.FIND, Verb.RIPE, Verb.LIST_UNKNOWN);

    private final Map<Verb, Script> scripts = new EnumMap<>(Verb.class);

    /** As the files read after this. */
    Scripts(UnaryOperator<String> reading) {
        for (Verb verb : Verb.values()) {
            String text = Stream.concat(Stream.of(COMMON), files(verb))
                    .map(name -> read(name + ".lua"))
                    .collect(Collectors.joining("\n"));
            String first = BEGINNING_OR_READING.contains(verb) ? "" : ALSO_WHEN_FULL;
            scripts.put(verb, Script.of(first + reading.apply(text)));
        }
    }

    /** Redis runs all of a script for each call: what a verb does not need is not in it. */
    private static Stream<String> files(Verb verb) {
        String own = verb.name().toLowerCase(Locale.ROOT).replace('_', '-');
        return switch (verb) {
            case CLAIM -> Stream.of("replay", "record", own);
            case FIND, RIPE -> Stream.of(own);
            default -> Stream.of("record", own);
        };
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
