package dev.semel.messaging.brokers;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * The intents of senders, of which one in ten is sent twice.
 *
 * @param count the number of intents; {@code -Dsemel.messages=20000} for a longer run
 */
public record Intents(int count) {

    /** Each kill costs the start of a process; the shortest run has two. */
    private static final int MESSAGES_PER_KILL = 250;

    private static final int FEWEST_KILLS = 2;

    private static final int TWICE_ONE_IN = 10;

    private static final int SEED = 7;

    public static Intents configured() {
        return new Intents(Integer.getInteger("semel.messages", 200));
    }

    public int kills() {
        return Math.max(FEWEST_KILLS, count / MESSAGES_PER_KILL);
    }

    /** The number of effects between two kills, spread over the run. */
    public int killEvery() {
        return count / (kills() + 1);
    }

    /** In the order in which they are published; the second copy is anywhere. */
    public List<String> published() {
        List<String> published = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            published.add("intent-" + i);
            if (i % TWICE_ONE_IN == 0) {
                published.add("intent-" + i);
            }
        }
        Collections.shuffle(published, new Random(SEED));
        return published;
    }
}
