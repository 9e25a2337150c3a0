package dev.semel.torture;

import dev.semel.Identity;
import dev.semel.torture.app.Keeping;
import dev.semel.torture.app.Payment;
import dev.semel.torture.history.TimedKey;
import dev.semel.torture.provider.Treatment;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What clients ask: a function of the seed and the number of the key.
 *
 * <p>A key has one to four clients that start within moments of each other. Some keys are used by two tenants, some for two
 * different payments, some again after their retention, and some clients ask once and are never seen again. With an emphasis
 * on late retries, the keys whose retention is short are not used again, but retried after it.
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
    private static final String LATE = "-late";

    private static final int BRIEF_PERCENT = 10;
    private static final int LATE_PERCENT = 25;

    /** How the record of this key is kept. */
    static Keeping keeping(Identity identity) {
        String scope = identity.scope().value();
        if (scope.endsWith(LATE)) {
            return Keeping.LATE;
        }
        return scope.endsWith(BRIEF) ? Keeping.BRIEF : Keeping.LONG;
    }

    /**
     * One client's request.
     *
     * @param after when it is made, counted from when the key is first used
     * @param once whether the client is gone after its first try, whatever the answer
     */
    record Client(Duration after, Payment payment, boolean once) {}

    private final long seed;
    private final Emphasis emphasis;
    private final Mix mix;
    private final String run;
    private final Duration briefRetention;

    /**
     * A plan.
     *
     * @param run distinguishes the scopes of this run from those of others on the same store
     */
    Plan(long seed, Emphasis emphasis, String run, Duration briefRetention) {
        this.seed = seed;
        this.emphasis = emphasis;
        this.mix = emphasis.mix();
        this.run = run;
        this.briefRetention = briefRetention;
    }

    /** All clients of the key with this number, which is first used now. */
    List<Client> clients(int number, Instant now) {
        SplittableRandom random = new SplittableRandom(seed * 31 + number);
        if (emphasis.shortKeeping() == Keeping.LATE && random.nextInt(100) < LATE_PERCENT) {
            return lateClients(random, number, now);
        }
        String key = "key-" + number;
        List<Client> clients = new ArrayList<>();
        boolean brief = emphasis.shortKeeping() == Keeping.BRIEF && random.nextInt(100) < BRIEF_PERCENT;
        Keeping keeping = brief ? Keeping.BRIEF : Keeping.LONG;
        Identity identity = Identity.of(run + (brief ? BRIEF : "-acme"), key);
        Treatment treatment = mix.pick(random.nextInt(100));
        if (!brief && random.nextInt(100) < 10) {
            return List.of(new Client(Duration.ZERO, new Payment(identity, "m1", treatment, keeping, false), true));
        }
        int duplicates = 1 + random.nextInt(4);
        for (int i = 0; i < duplicates; i++) {
            clients.add(client(random, identity, "m1", treatment, keeping));
        }
        if (random.nextInt(100) < 10) {
            clients.add(client(random, identity, "m2", treatment, keeping));
        }
        if (random.nextInt(100) < 10) {
            // The same text in another scope is another key.
            Identity other = Identity.of(run + "-globex", key);
            clients.add(client(random, other, "m3", mix.pick(random.nextInt(100)), Keeping.LONG));
        }
        if (brief) {
            Duration later = briefRetention.plusMillis(500L + random.nextInt(3_000));
            Payment again = new Payment(identity, "m4", mix.pick(random.nextInt(100)), keeping, false);
            clients.add(new Client(later, again, false));
            clients.add(new Client(later, again, false));
        }
        return clients;
    }

    /** Clients at once, soon after the retention, and long after it; half of the keys carry their time, or all. */
    private List<Client> lateClients(SplittableRandom random, int number, Instant now) {
        boolean timed = !emphasis.keepsTombstones() || random.nextBoolean();
        Identity identity = Identity.of(run + LATE, timed ? TimedKey.of(now, number) : "key-" + number);
        Treatment treatment = mix.pick(random.nextInt(100));
        List<Client> clients = new ArrayList<>();
        int duplicates = 1 + random.nextInt(3);
        for (int i = 0; i < duplicates; i++) {
            clients.add(client(random, identity, "m1", treatment, Keeping.LATE));
        }
        Payment again = new Payment(identity, "m1", treatment, Keeping.LATE, false);
        clients.add(new Client(briefRetention.plusMillis(random.nextInt(1_500)), again, false));
        clients.add(new Client(briefRetention.multipliedBy(2).plusMillis(random.nextInt(3_000)), again, false));
        return clients;
    }

    private static Client client(
            SplittableRandom random, Identity identity, String meaning, Treatment treatment, Keeping keeping) {
        Duration after = Duration.ofMillis(random.nextInt(3) == 0 ? random.nextInt(400) : random.nextInt(5));
        return new Client(after, new Payment(identity, meaning, treatment, keeping, random.nextInt(3) == 0), false);
    }
}
