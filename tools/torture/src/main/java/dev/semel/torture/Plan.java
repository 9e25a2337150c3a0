package dev.semel.torture;

import dev.semel.Identity;
import dev.semel.torture.app.Payment;
import dev.semel.torture.provider.Treatment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What clients ask: a function of the seed and the number of the key.
 *
 * <p>A key has one to four clients that start within moments of each other. Some keys are used by two tenants, some for two
 * different payments, some again after their retention, and some clients ask once and are never seen again.
 */
final class Plan {

    /** How often each treatment is chosen, in percent; the rest is prompt. */
    record Mix(
            int slowAnswer, int slowCharge, int decline, int refuse, int silentlyCharged, int silentlyLost, int late) {

        static final Mix USUAL = new Mix(10, 8, 6, 5, 4, 3, 4);

        /** For mistakes that show when an attempt is repeated at once. */
        static final Mix REFUSING = new Mix(5, 5, 5, 60, 3, 3, 3);

        Treatment pick(int percent) {
            int left = percent;
            for (Treatment each : List.of(
                    Treatment.SLOW_ANSWER,
                    Treatment.SLOW_CHARGE,
                    Treatment.DECLINE,
                    Treatment.REFUSE,
                    Treatment.SILENTLY_CHARGED,
                    Treatment.SILENTLY_LOST,
                    Treatment.LATE)) {
                left -= weight(each);
                if (left < 0) {
                    return each;
                }
            }
            return Treatment.PROMPT;
        }

        private int weight(Treatment treatment) {
            return switch (treatment) {
                case SLOW_ANSWER -> slowAnswer;
                case SLOW_CHARGE -> slowCharge;
                case DECLINE -> decline;
                case REFUSE -> refuse;
                case SILENTLY_CHARGED -> silentlyCharged;
                case SILENTLY_LOST -> silentlyLost;
                case LATE -> late;
                case PROMPT -> 0;
            };
        }
    }

    private static final String BRIEF = "-brief";

    /** Whether the record of this key is kept for a short time only. */
    static boolean isBrief(Identity identity) {
        return identity.scope().value().endsWith(BRIEF);
    }

    /**
     * One client's request.
     *
     * @param after when it is made, counted from when the key is first used
     * @param once whether the client is gone after its first try, whatever the answer
     */
    record Client(Duration after, Payment payment, boolean once) {}

    private final long seed;
    private final Mix mix;
    private final String run;
    private final Duration briefRetention;

    /**
     * A plan.
     *
     * @param run distinguishes the scopes of this run from those of others on the same store
     */
    Plan(long seed, Mix mix, String run, Duration briefRetention) {
        this.seed = seed;
        this.mix = mix;
        this.run = run;
        this.briefRetention = briefRetention;
    }

    /** All clients of the key with this number. */
    List<Client> clients(int number) {
        SplittableRandom random = new SplittableRandom(seed * 31 + number);
        String key = "key-" + number;
        List<Client> clients = new ArrayList<>();
        boolean brief = random.nextInt(100) < 10;
        Identity identity = Identity.of(run + (brief ? BRIEF : "-acme"), key);
        Treatment treatment = mix.pick(random.nextInt(100));
        if (!brief && random.nextInt(100) < 10) {
            return List.of(new Client(Duration.ZERO, new Payment(identity, "m1", treatment, false, false), true));
        }
        int duplicates = 1 + random.nextInt(4);
        for (int i = 0; i < duplicates; i++) {
            clients.add(client(random, identity, "m1", treatment, brief));
        }
        if (random.nextInt(100) < 10) {
            clients.add(client(random, identity, "m2", treatment, brief));
        }
        if (random.nextInt(100) < 10) {
            // The same text in another scope is another key.
            Identity other = Identity.of(run + "-globex", key);
            clients.add(client(random, other, "m3", mix.pick(random.nextInt(100)), false));
        }
        if (brief) {
            Duration later = briefRetention.plusMillis(500L + random.nextInt(3_000));
            Payment again = new Payment(identity, "m4", mix.pick(random.nextInt(100)), true, false);
            clients.add(new Client(later, again, false));
            clients.add(new Client(later, again, false));
        }
        return clients;
    }

    private static Client client(
            SplittableRandom random, Identity identity, String meaning, Treatment treatment, boolean brief) {
        Duration after = Duration.ofMillis(random.nextInt(3) == 0 ? random.nextInt(400) : random.nextInt(5));
        return new Client(after, new Payment(identity, meaning, treatment, brief, random.nextInt(3) == 0), false);
    }
}
