package dev.semel.jdbc;

import dev.semel.Response;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.ClaimAnswer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How much memory an answer takes: little, apart from a response in it. */
final class AnswerSize {

    private AnswerSize() {}

    static long of(@Nullable Object answer) {
        if (answer instanceof ClaimAnswer.Recorded recorded) {
            return of(recorded.record());
        }
        if (answer instanceof ClaimAnswer.Mismatch mismatch) {
            return of(mismatch.record());
        }
        return answer instanceof Optional<?> found && found.orElse(null) instanceof StoredRecord record
                ? of(record)
                : 0;
    }

    private static long of(StoredRecord record) {
        Response response = record.response();
        return response == null ? 0 : response.size();
    }
}
