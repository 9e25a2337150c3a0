package dev.semel.server.cli;

import dev.semel.admin.json.Json;
import dev.semel.admin.json.JsonObject;
import dev.semel.http.Headers;
import dev.semel.http.RecordedResponse;
import dev.semel.reconcile.Verdict;
import java.io.PrintWriter;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A record of a console that runs elsewhere. */
final class RemoteRecord {

    private static final int MOST = 100_000;

    private final AdminClient client;
    private final RecordArguments record;

    RemoteRecord(AdminClient client, RecordArguments record) {
        this.client = client;
        this.record = record;
    }

    /** The record in JSON, as the API shows it. */
    String get() {
        return client.post("/records/get", record.named());
    }

    /** The response of the record in JSON, with its body; the audit says who asked for it. */
    String response(String reason) {
        return client.post(
                "/records/response", record.named().with("fence", fence()).with("reason", reason));
    }

    /** What an attempt recorded in a step, in JSON; the audit says who asked for it. */
    String step(String name, String reason) {
        return client.post(
                "/records/step",
                record.named().with("fence", fence()).with("step", name).with("reason", reason));
    }

    void note(String reason) {
        String unused = client.post(
                "/unknown/note", record.named().with("fence", fence()).with("reason", reason));
    }

    void requeue(String reason) {
        String unused = client.post(
                "/unknown/requeue", record.named().with("fence", fence()).with("reason", reason));
    }

    /**
     * Settles the record.
     *
     * @param fence of the attempt; null for the last one
     * @return whether it is settled; if not, a second person has to agree
     */
    boolean settle(Verdict.Final verdict, @Nullable Long fence, String reason) {
        Json body = record.named()
                .with("fence", fence == null ? fence() : fence)
                .with("reason", reason)
                .with("happened", verdict instanceof Verdict.Happened)
                .with("response", verdict instanceof Verdict.Happened happened ? responseOf(happened) : null);
        return AdminClient.read(client.post("/unknown/settle", body)).requiredFlag("settled");
    }

    private static Json responseOf(Verdict.Happened happened) {
        RecordedResponse response = RecordedResponse.from(happened.response()).orElseThrow();
        return Json.object()
                .with("status", response.status())
                .with("headers", headersOf(response.headers()))
                .with(
                        "bodyBase64",
                        Base64.getEncoder().encodeToString(response.body().bytes()));
    }

    private static List<List<String>> headersOf(Headers headers) {
        return headers.lines().stream()
                .map(line -> List.of(line.name(), line.value()))
                .toList();
    }

    private long fence() {
        return AdminClient.read(get()).requiredNumber("fence", 0, Long.MAX_VALUE);
    }

    /** Prints a record, and what happened to it. */
    static void print(String json, PrintWriter out) {
        JsonObject record = AdminClient.read(json);
        for (String name : List.of(
                "scope",
                "key",
                "keyInLogs",
                "operation",
                "state",
                "reason",
                "request",
                "createdAt",
                "claimedAt",
                "updatedAt",
                "leaseUntil",
                "expiresAt",
                "unknownSince",
                "nextLookAt")) {
            line(out, name, record.text(name, MOST));
        }
        for (String name : List.of("fence", "attempt", "looks")) {
            Long number = record.number(name, 0, Long.MAX_VALUE);
            line(out, name, number == null ? null : number.toString());
        }
        line(out, "dead-lettered", Boolean.TRUE.equals(record.flag("deadLettered")) ? "yes" : null);
        JsonObject retry = record.object("retryGets");
        line(out, "a retry", retry == null ? null : retry.text("explanation", MOST));
        out.println();
        TextTable table = new TextTable("time", "change", "state", "fence", "who", "why");
        for (JsonObject entry : record.objects("audit", MOST)) {
            String from = entry.requiredText("from", 100);
            String to = entry.requiredText("to", 100);
            table.row(
                    entry.requiredText("at", 100),
                    entry.requiredText("kind", 100),
                    from.equals(to) ? from : from + " -> " + to,
                    String.valueOf(entry.number("fence", 0, Long.MAX_VALUE)),
                    Printable.text(entry.requiredText("by", MOST)),
                    Printable.text(orEmpty(entry.text("detail", MOST), entry.text("request", MOST))));
        }
        table.print(out);
    }

    private static String orEmpty(@Nullable String detail, @Nullable String request) {
        return detail != null ? detail : request == null ? "" : request;
    }

    private static void line(PrintWriter out, String name, @Nullable String value) {
        if (value != null) {
            out.printf("%-14s %s%n", name, Printable.text(value));
        }
    }
}
