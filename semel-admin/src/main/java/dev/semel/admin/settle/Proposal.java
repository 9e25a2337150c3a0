package dev.semel.admin.settle;

import dev.semel.admin.access.Caller;
import dev.semel.admin.json.Json;
import dev.semel.admin.json.JsonObject;
import dev.semel.admin.json.JsonReader;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.AuditEntry.Change;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.Verdict;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * A settlement that waits for a second person: an entry of the record's audit, so that it survives a restart and every console
 * on the store sees it.
 *
 * @param by the name of the first person
 * @param digest of the verdict with its response: the second person must mean the same
 */
public record Proposal(String by, Instant at, boolean happened, String digest, String reason) {

    /** Leaves room in the entry for the rest of the proposal, and in the evidence for both reasons. */
    public static final int LONGEST_REASON = 400;

    /** The last proposal about the attempt that the record is unknown of. */
    public static Optional<Proposal> of(StoredRecord record, List<AuditEntry> history) {
        return history.stream()
                .filter(entry -> entry.change() == Change.PROPOSED && entry.fence() == record.fence())
                .reduce((first, second) -> second)
                .map(Proposal::read);
    }

    private static Proposal read(AuditEntry entry) {
        JsonObject json = JsonReader.object(String.valueOf(entry.why()).getBytes(StandardCharsets.UTF_8));
        return new Proposal(
                Caller.nameIn(entry.who()),
                entry.at(),
                json.requiredFlag("happened"),
                json.requiredText("digest", 100),
                json.requiredText("reason", LONGEST_REASON));
    }

    /** How the audit keeps a proposal. */
    public static String text(Verdict.Final verdict, String reason) {
        return Json.object()
                .with("happened", verdict instanceof Verdict.Happened)
                .with("digest", digest(verdict))
                .with("reason", reason)
                .toString();
    }

    public static String digest(Verdict.Final verdict) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            if (verdict instanceof Verdict.Happened happened) {
                sha.update((byte) 1);
                sha.update(happened.response().bytes());
            } else {
                sha.update((byte) 0);
            }
            return "sha256:" + HexFormat.of().formatHex(sha.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
