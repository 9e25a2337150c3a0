package dev.semel.torture.bugs;

import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.engine.Store;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.testsupport.stores.ForwardingStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A store that gives callers each other's answers, as one does that loses the order of a batch. */
final class SwappedAnswers extends ForwardingStore {

    /** Seldom enough that most of the run goes on as usual. */
    private static final int ONE_OF = 8;

    private final Pairs<ClaimAnswer> claims = new Pairs<>();
    private final Pairs<SettleAnswer> settlements = new Pairs<>();

    SwappedAnswers(Store inner) {
        super(inner);
    }

    @Override
    public CompletionStage<ClaimAnswer> claim(ClaimRequest request) {
        return claims.swapped(super.claim(request));
    }

    @Override
    public CompletionStage<SettleAnswer> settle(Lease lease, Outcome outcome, Duration retention) {
        return settlements.swapped(super.settle(lease, outcome, retention));
    }

    /** Calls of one verb, of which some that are on their way at the same time are paired. */
    private static final class Pairs<A> {

        /** One call: the store's answer, the answer that the caller gets, and whether the latter is decided. */
        private record Call<A>(CompletionStage<A> real, CompletableFuture<A> given, AtomicBoolean decided) {}

        private @Nullable Call<A> onItsWay;
        private int meetings;

        CompletionStage<A> swapped(CompletionStage<A> real) {
            Call<A> call = new Call<>(real, new CompletableFuture<>(), new AtomicBoolean());
            Call<A> other = meet(call);
            if (other == null) {
                call.real().whenComplete((answer, failure) -> {
                    if (call.decided().compareAndSet(false, true)) {
                        tell(call, answer, failure);
                    }
                });
            } else {
                call.real().whenComplete((answer, failure) -> tell(other, answer, failure));
                other.real().whenComplete((answer, failure) -> tell(call, answer, failure));
            }
            return call.given();
        }

        /** Another call that this one is paired with, if any. */
        private synchronized @Nullable Call<A> meet(Call<A> call) {
            Call<A> other = onItsWay;
            onItsWay = call;
            if (other == null
                    || other.decided().get()
                    || ++meetings % ONE_OF != 0
                    || !other.decided().compareAndSet(false, true)) {
                return null;
            }
            onItsWay = null;
            return other;
        }

        private static <A> void tell(Call<A> call, @Nullable A answer, @Nullable Throwable failure) {
            if (answer != null) {
                call.given().complete(answer);
            } else if (failure != null) {
                call.given().completeExceptionally(failure);
            }
        }
    }
}
