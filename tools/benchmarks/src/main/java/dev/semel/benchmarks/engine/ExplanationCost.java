package dev.semel.benchmarks.engine;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Identity;
import dev.semel.Intent;
import dev.semel.Operation;
import dev.semel.engine.SemelEngine;
import dev.semel.fingerprint.Fingerprinter;
import dev.semel.fingerprint.Parts;
import dev.semel.memory.MemoryStore;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What explained mismatches cost a first request: fingerprint, claim, run and settle on the memory store, with them and without, in
 * turns.
 *
 * <p>The processor time of the calling thread is measured, since the difference is small next to what other processes take.
 */
public final class ExplanationCost {

    /** Enough that both engines are compiled. */
    private static final int WARM_UP_ROUNDS = 6;

    private static final int ROUNDS = 9;

    /** Few enough records for any heap; each round has a store of its own. */
    private static final int REQUESTS = 15_000;

    private static final Operation OPERATION = Operation.named("create-payment");

    private ExplanationCost() {}

    /**
     * The cost for bodies of one size.
     *
     * @param members of the JSON body
     * @param offMicros the median processor time of a request without explanations
     * @param offBytes what a record stores of who claimed it, without explanations
     */
    public record Row(int members, double offMicros, double explainedMicros, int offBytes, int explainedBytes) {}

    public static List<Row> measure() {
        List<Row> rows = new ArrayList<>();
        for (int members : new int[] {5, 20}) {
            byte[] body = payment(members);
            List<Double> off = new ArrayList<>();
            List<Double> explained = new ArrayList<>();
            for (int round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
                double without = microsPerRequest(false, body);
                double with = microsPerRequest(true, body);
                if (round >= WARM_UP_ROUNDS) {
                    off.add(without);
                    explained.add(with);
                }
            }
            rows.add(new Row(
                    members, median(off), median(explained), storedBytes(false, body), storedBytes(true, body)));
        }
        return rows;
    }

    /** A payment with so many members, none of which is in another one. */
    private static byte[] payment(int members) {
        StringBuilder json = new StringBuilder("{\"amountCents\":1999,\"currency\":\"EUR\"");
        for (int i = 2; i < members; i++) {
            json.append(",\"member")
                    .append(10 + i)
                    .append("\":\"value-")
                    .append(i)
                    .append('"');
        }
        return json.append('}').toString().getBytes(StandardCharsets.UTF_8);
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    private static SemelEngine engine(boolean explaining) {
        SemelEngine.Builder builder = SemelEngine.on(new MemoryStore());
        return (explaining ? builder.explainMismatches() : builder).build();
    }

    private static double microsPerRequest(boolean explaining, byte[] body) {
        try (SemelEngine semel = engine(explaining)) {
            long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            for (int i = 0; i < REQUESTS; i++) {
                execute(semel, intent("8e03978e-40d5-43dd-bc93-" + i, body));
            }
            return (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before) / 1e3 / REQUESTS;
        }
    }

    private static int storedBytes(boolean explaining, byte[] body) {
        try (SemelEngine semel = engine(explaining)) {
            Intent intent = intent("8e03978e-40d5-43dd-bc93-6894a57f9324", body);
            execute(semel, intent);
            return semel.find(intent.identity()).orElseThrow().holder().getBytes(StandardCharsets.UTF_8).length;
        }
    }

    private static void execute(SemelEngine semel, Intent intent) {
        Execution<String> execution = semel.execute(intent, Codec.text(), attempt -> "done");
        if (!(execution instanceof Execution.Ran<String>)) {
            throw new IllegalStateException("a first request was not executed: " + execution);
        }
    }

    private static Intent intent(String key, byte[] body) {
        Parts parts = Parts.builder()
                .add("method", "POST")
                .add("path", "/payments")
                .add("query", "")
                .add("media-type", "application/json")
                .body("application/json", body)
                .build();
        Identity identity = Identity.of("account-17", key);
        return Intent.of(
                        OPERATION,
                        identity.scope(),
                        identity.key(),
                        Fingerprinter.sha256().of(parts))
                .describedAs("POST /payments")
                .detailedBy(parts);
    }
}
