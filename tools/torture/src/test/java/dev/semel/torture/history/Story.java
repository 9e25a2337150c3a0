package dev.semel.torture.history;

import dev.semel.Identity;
import dev.semel.State;
import dev.semel.torture.history.AuditEvent.Changed;
import dev.semel.torture.history.AuditEvent.Read;
import dev.semel.torture.history.AuditEvent.Standing;
import dev.semel.torture.history.ClientEvent.Try;
import dev.semel.torture.history.FaultEvent.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A history that is written by hand, a millisecond from event to event. */
final class Story {

    static final Duration SETTLE_WINDOW = Duration.ofSeconds(10);
    static final Duration SWEEPS = Duration.ofSeconds(1);
    static final Duration RETENTION = Duration.ofMinutes(1);
    static final Identity KEY = Identity.of("acme", "k1");
    static final Identity LATE_KEY = Identity.of("late", "k1");
    static final String HOLDER = "holder-of-fence-";

    private final List<ClientEvent> clients = new ArrayList<>();
    private final List<LedgerEvent> ledger = new ArrayList<>();
    private final List<AuditEvent> audit = new ArrayList<>();
    private final List<FaultEvent> faults = new ArrayList<>();
    private Instant now = Instant.parse("2030-01-01T00:00:00Z");
    private Identity identity = KEY;
    private String meaning = "m1";
    private int tries;
    private int faultNumber;

    private Instant tick() {
        now = now.plusMillis(1);
        return now;
    }

    Story after(Duration duration) {
        now = now.plus(duration);
        return this;
    }

    /** Goes on with another key. */
    Story of(Identity other) {
        identity = other;
        return this;
    }

    /** Goes on with requests that mean something else. */
    Story meaning(String other) {
        meaning = other;
        return this;
    }

    private Try next() {
        return new Try("c" + ++tries, 1, identity, meaning, "app-1");
    }

    /** A client asks and gets an answer. */
    Story answered(int status, String body) {
        Try which = next();
        clients.add(new ClientEvent.Asked(tick(), which));
        clients.add(new ClientEvent.Answered(tick(), which, status, body));
        return this;
    }

    Story answeredCharged(String arrival) {
        return answered(201, new Receipt(arrival, meaning, true).text());
    }

    Story answeredDeclined(String arrival) {
        return answered(402, new Receipt(arrival, meaning, false).text());
    }

    Story unanswered() {
        Try which = next();
        clients.add(new ClientEvent.Asked(tick(), which));
        clients.add(new ClientEvent.Unanswered(tick(), which, "connection reset"));
        return this;
    }

    private LedgerEvent.Request request(String arrival, long fence) {
        return new LedgerEvent.Request(arrival, identity, fence, meaning);
    }

    Story arrived(String arrival, long fence) {
        ledger.add(new LedgerEvent.Arrived(tick(), request(arrival, fence), "prompt"));
        return this;
    }

    Story charged(String arrival, long fence) {
        arrived(arrival, fence);
        ledger.add(new LedgerEvent.Charged(tick(), request(arrival, fence)));
        return this;
    }

    Story declined(String arrival, long fence) {
        arrived(arrival, fence);
        ledger.add(new LedgerEvent.Declined(tick(), request(arrival, fence)));
        return this;
    }

    Story changed(String change, @Nullable State from, State to, long fence, String who, @Nullable String why) {
        audit.add(new Changed(tick(), identity, audit.size() + 1L, change, from, new Standing(to, fence), who, why));
        return this;
    }

    Story granted(@Nullable State from, long fence) {
        return changed("granted", from, State.IN_PROGRESS, fence, HOLDER + fence, null);
    }

    Story settled(State to, long fence) {
        return changed("settled", State.IN_PROGRESS, to, fence, HOLDER + fence, null);
    }

    Story givenUp(long fence) {
        return changed("given_up", State.IN_PROGRESS, State.UNKNOWN, fence, "sweeper", "in_progress_lock_expired");
    }

    Story reconciled(State to, long fence) {
        return changed("reconciled", State.UNKNOWN, to, fence, "resolver:charge", "looked it up");
    }

    Story read(String moment, State state, long fence, Duration overdue) {
        audit.add(new Read(tick(), moment, identity, new Standing(state, fence), overdue, meaning));
        return this;
    }

    Story end(State state, long fence) {
        return read(Read.END, state, fence, Duration.ZERO);
    }

    Story fault(Kind kind, String target, Duration length) {
        faultNumber++;
        faults.add(new FaultEvent.Began(tick(), faultNumber, kind, target, null, "by hand"));
        faults.add(new FaultEvent.Ended(now.plus(length), faultNumber));
        return this;
    }

    private static boolean isLate(Identity identity) {
        return identity.scope().equals(LATE_KEY.scope());
    }

    History history() {
        return new History(clients, ledger, audit, faults);
    }

    CheckResult check() {
        return check(Expectations.Floors.NONE);
    }

    CheckResult check(Expectations.Floors floors) {
        return new Checker(new Expectations(
                        SETTLE_WINDOW, SWEEPS, Duration.ofMillis(100), any -> RETENTION, Story::isLate, floors))
                .check(history());
    }

    /** The usual course of one key. */
    static Story usual() {
        return new Story()
                .granted(null, 7)
                .charged("a1", 7)
                .settled(State.COMPLETED, 7)
                .answeredCharged("a1")
                .answeredCharged("a1")
                .end(State.COMPLETED, 7);
    }
}
