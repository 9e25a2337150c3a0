package dev.semel.server.check.rules;

import dev.semel.server.check.subject.Intent;
import dev.semel.server.check.wire.Answer;
import dev.semel.server.check.wire.Reply;
import java.util.function.Function;

/** A first answer, and that of a retry. */
record Replay(Intent intent, Answer first, Answer retry) {

    static final int REQUESTS = 2;

    /** Sends a request twice, and has both answers judged. */
    static Outcome check(Probe probe, Function<Replay, Outcome> judge) {
        Intent intent = probe.newIntent();
        Reply first = probe.send(intent.request());
        Reply retry = probe.sendUntilFinal(intent.request());
        if (first instanceof Answer one && one.isSuccess() && retry instanceof Answer two) {
            return judge.apply(new Replay(intent, one, two));
        }
        return new Outcome.CouldNotTell("the answers were " + first.brief() + " and " + retry.brief());
    }

    Outcome broken(String detail) {
        return new Outcome.Broken(
                detail,
                Reproduction.of(intent).send(intent.request(), first.brief()).send(intent.request(), retry.brief()));
    }
}
