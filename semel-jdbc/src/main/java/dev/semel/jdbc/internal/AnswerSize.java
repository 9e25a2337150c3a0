package dev.semel.jdbc.internal;

import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import java.util.Optional;

/** How much memory an answer takes: little, apart from a response in it. */
public final class AnswerSize {

    private AnswerSize() {}

    public static long of(ClaimAnswer answer) {
        if (answer instanceof ClaimAnswer.Recorded recorded) {
            return of(recorded.record());
        }
        return answer instanceof ClaimAnswer.Mismatch mismatch ? of(mismatch.record()) : 0;
    }

    public static long of(Optional<StoredRecord> found) {
        return found.map(AnswerSize::of).orElse(0L);
    }

    private static long of(StoredRecord record) {
        return record.response() == null ? 0 : record.response().size();
    }
}
