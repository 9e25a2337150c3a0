package dev.semel.jdbc.postgresql;

import dev.semel.jdbc.batch.BatchCall;
import dev.semel.jdbc.batch.BatchLimits;
import dev.semel.jdbc.internal.AnswerSize;
import dev.semel.jdbc.internal.Micros;
import dev.semel.jdbc.postgresql.PostgresBatch.Settling;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import java.util.function.ToLongFunction;

/** A call that shares its batch with calls of the other kind. */
abstract sealed class PostgresCall<Q, A> extends BatchCall<Q, A> {

    private PostgresCall(Q question, long bytes, ToLongFunction<A> answerBytes) {
        super(question, bytes, answerBytes);
    }

    static final class Claim extends PostgresCall<ClaimRequest, ClaimAnswer> {
        Claim(ClaimRequest request) {
            super(request, BatchLimits.QUESTION_BYTES, AnswerSize::of);
            // Here and not in the batch, where it would fail every call.
            Micros.require(request.lease());
        }
    }

    static final class Settle extends PostgresCall<Settling, SettleAnswer> {
        Settle(Settling settling) {
            super(settling, BatchLimits.bytesOf(settling.outcome()), answer -> 0);
        }
    }
}
