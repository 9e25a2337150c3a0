package dev.semel.server.check.rules;

import dev.semel.server.check.subject.Intent;
import dev.semel.server.check.wire.Answer;
import dev.semel.server.check.wire.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/**
 * The answers that duplicates got while the first request was in progress.
 *
 * @param executed whether the request succeeded in the end
 * @param others those that are no result
 * @param mistaken successes without a body, which a client takes for the result
 */
record InFlight(Intent intent, int sent, boolean executed, List<Reply> others, List<Reply> mistaken) {

    private static final int MOST = 8;
    private static final int ROUNDS = 2;

    static int requests(int concurrency) {
        return ROUNDS * (Math.min(MOST, concurrency) + 1);
    }

    /** Sends duplicates at once, until some get an answer other than the result. */
    static InFlight of(Probe probe) {
        InFlight last = null;
        int times = Math.min(MOST, probe.settings().concurrency());
        for (int round = 0;
                round < ROUNDS && (last == null || (last.others.isEmpty() && last.mistaken.isEmpty()));
                round++) {
            Intent intent = probe.newIntent();
            List<Reply> replies =
                    probe.client().sendTogether(Collections.nCopies(times, intent.request()), Duration.ZERO);
            Reply result = probe.sendUntilFinal(intent.request());
            List<Reply> others = new ArrayList<>();
            List<Reply> mistaken = new ArrayList<>();
            for (Reply reply : replies) {
                if (!(reply instanceof Answer answer) || !answer.isSuccess() || probe.asksToWait(answer)) {
                    others.add(reply);
                } else if (isEmptyInsteadOf(answer, result)) {
                    mistaken.add(reply);
                }
            }
            last = new InFlight(intent, times, result instanceof Answer full && full.isSuccess(), others, mistaken);
        }
        return Objects.requireNonNull(last);
    }

    private static boolean isEmptyInsteadOf(Answer answer, Reply result) {
        return answer.body().length == 0 && result instanceof Answer full && full.isSuccess() && full.body().length > 0;
    }

    Outcome broken(String detail) {
        return new Outcome.Broken(
                detail, Reproduction.of(intent).sendTogether(intent.request(), sent, "at the same time"));
    }
}
