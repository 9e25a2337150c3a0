package dev.semel.http;

import dev.semel.Outcome;
import dev.semel.adapter.Claim;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * The headers that tell a client what it can rely on: its key, whether the answer is a replay and how old, and until when it
 * is kept. They are no part of the recorded response: each answer gets them anew.
 *
 * <p>How long a record is kept comes from the store. The date is that much after this process's own clock, which also sets
 * {@code Date}; no decision depends on it.
 *
 * @param clock null where the headers are turned off
 * @param key the header that repeats the key; none where there is no valid key, or the client sent none
 */
record Promise(Profile profile, @Nullable InstantSource clock, Headers key) {

    /** A promise without a client, for operators: it adds only what marks a replay. */
    static final Promise NONE = new Promise(Profile.STANDARD, null, Headers.NONE);

    /** The last date of HTTP's format, for records that are kept for ever. */
    private static final Instant LAST_DATE = Instant.parse("9999-12-31T23:59:59Z");

    /** The same, about the key that a request has in this header. */
    Promise about(String keyHeader, RequestView request) {
        String echo = profile.echo(keyHeader);
        if (clock == null || echo == null) {
            return this;
        }
        return request.headers()
                .first(echo)
                .map(value -> new Promise(profile, clock, Headers.of(echo, value.strip())))
                .orElse(this);
    }

    Promise in(Profile other) {
        return other == profile ? this : new Promise(other, clock, key);
    }

    Answer onRefusal(Answer refusal) {
        return refusal.replacing(key);
    }

    Answer onReplay(Answer replay, Claim.@Nullable Recording recording) {
        return replay.replacing(key.and(profile.about(true)).and(recording == null ? Headers.NONE : of(recording)));
    }

    /** What a record says of itself. */
    Headers of(Claim.Recording recording) {
        return clock == null
                ? Headers.NONE
                : Headers.of(Answer.EXPIRES, dateIn(clock.instant(), recording.keptFor()))
                        .with(Answer.AGE, String.valueOf(recording.age().toSeconds()));
    }

    /**
     * What is said of an answer that was just produced.
     *
     * @param asOf before the record was written; null where the headers are turned off
     */
    Headers onFirst(Outcome outcome, Duration retention, @Nullable Instant asOf) {
        Headers said = key.and(profile.about(!(outcome instanceof Outcome.NotExecuted)));
        return asOf != null && outcome instanceof Outcome.Completed
                ? said.with(Answer.EXPIRES, dateIn(asOf, retention))
                : said;
    }

    @Nullable
    Instant now() {
        return clock == null ? null : clock.instant();
    }

    /** Rounded down to a second: nothing is promised that is not kept. */
    private static String dateIn(Instant from, Duration length) {
        Duration most = Duration.ofSeconds(LAST_DATE.getEpochSecond() - from.getEpochSecond());
        return HttpDate.of(length.compareTo(most) < 0 ? from.plus(length) : LAST_DATE);
    }
}
