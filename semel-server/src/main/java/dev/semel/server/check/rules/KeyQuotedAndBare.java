package dev.semel.server.check.rules;

import dev.semel.server.check.subject.Intent;
import dev.semel.server.check.subject.KeyHeader;
import dev.semel.server.check.wire.Answer;
import dev.semel.server.check.wire.Reply;
import dev.semel.server.check.wire.WireRequest;
import java.util.OptionalLong;

/** A key in quotes and the same without are one key, or one of the forms is refused. */
final class KeyQuotedAndBare implements Rule {

    private static final String ONE_KEY = "one key";

    @Override
    public RuleInfo info() {
        return new RuleInfo(
                "key-quoted-and-bare",
                Level.INFO,
                "A key in quotes and the same without are one key, or one form is refused",
                Source.draft("2.1"));
    }

    @Override
    public int requests(int concurrency) {
        return 2;
    }

    /** Whether a key in quotes and the same without are one key. */
    static boolean isOneKey(Probe probe) {
        return new KeyQuotedAndBare().check(probe) instanceof Outcome.Holds holds
                && holds.detail().equals(ONE_KEY);
    }

    @Override
    public Outcome check(Probe probe) {
        Intent intent = probe.newIntent();
        KeyHeader keys = probe.baseline().keys();
        WireRequest otherForm =
                probe.withKeyLines(intent, keys.withQuotes(!keys.quoted()).value(intent.key()));
        Reply first = probe.send(intent.request());
        OptionalLong before = probe.effects();
        Reply reply = probe.send(otherForm);
        OptionalLong executions = probe.executionsSince(before);
        String form = keys.quoted() ? "bare" : "quoted";
        if (reply instanceof Answer answer && answer.isClientError()) {
            return Outcome.holds("the " + form + " form is refused with " + answer.status());
        }
        boolean sameKey = first instanceof Answer recorded
                && reply instanceof Answer answer
                && executions.orElse(Probe.sameMeaning(recorded, answer) ? 0 : 1) == 0;
        return sameKey
                ? probe.holds(ONE_KEY)
                : new Outcome.CouldNotTell(
                        "the two forms are two keys here, or one is ignored: the " + form + " form got " + reply.brief()
                                + ", and was executed; the API's documentation should name the form");
    }
}
