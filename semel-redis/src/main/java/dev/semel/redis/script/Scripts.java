package dev.semel.redis.script;

import dev.semel.redis.connection.Script;
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

/** The store's verbs as scripts, each the concatenation of a few Lua files. */
public final class Scripts {

    /** A script of the store. */
    public enum Verb {
        CLAIM,
        SETTLE,
        RENEW,
        STEP,
        FIND,
        SWEEP,
        DUE,
        RECONCILE,
        RESCHEDULE,
        ANNOTATE,
        FORGET,
        SEARCH,
        LIST_UNKNOWN,
        RIPE,
        PRUNE,
        INSPECT
    }

    /** The file that every script starts with. */
    private static final String COMMON = "common";

    /**
     * The first line of scripts that also run on a server that is out of memory: it refuses new work, but must still record
     * effects that have happened. A claim fails at its first write, so that it can still replay.
     */
    private static final String ALLOW_OUT_OF_MEMORY = "#!lua flags=allow-oom\n";

    private static final Set<Verb> NEW_WORK_OR_READING =
            EnumSet.of(Verb.CLAIM, Verb.FIND, Verb.RIPE, Verb.LIST_UNKNOWN, Verb.SEARCH);

    private final Map<Verb, Script> scripts = new EnumMap<>(Verb.class);

    public Scripts() {
        this(UnaryOperator.identity());
    }

    /** The scripts after a change to their text. */
    public Scripts(UnaryOperator<String> change) {
        for (Verb verb : Verb.values()) {
            String text = Stream.concat(Stream.of(COMMON), files(verb))
                    .map(name -> read(name + ".lua"))
                    .collect(Collectors.joining("\n"));
            String first = NEW_WORK_OR_READING.contains(verb) ? "" : ALLOW_OUT_OF_MEMORY;
            scripts.put(verb, Script.of(first + change.apply(text)));
        }
    }

    /** The files of a verb. Redis evaluates the whole script for each call, so it contains only what the verb needs. */
    private static Stream<String> files(Verb verb) {
        String own = verb.name().toLowerCase(Locale.ROOT).replace('_', '-');
        return switch (verb) {
            case CLAIM -> Stream.of("replay", "record", own);
            case FIND, RIPE -> Stream.of(own);
            default -> Stream.of("record", own);
        };
    }

    public Script of(Verb verb) {
        return Objects.requireNonNull(scripts.get(verb));
    }

    private static String read(String file) {
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
