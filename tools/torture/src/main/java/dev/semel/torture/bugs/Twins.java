package dev.semel.torture.bugs;

import dev.semel.Identity;
import dev.semel.engine.Store;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.testsupport.stores.ForwardingStore;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/** A store that judges each claim of a batch by the tables alone, and not by what others of the batch were granted. */
final class Twins extends ForwardingStore {

    /** What was granted to one of the claims of a key that are on their way together. */
    private final Map<Identity, Company> onTheirWay = new ConcurrentHashMap<>();

    private record Company(int claims, AtomicReference<ClaimAnswer> granted) {

        Company with(int more) {
            return new Company(claims + more, granted);
        }
    }

    Twins(Store inner) {
        super(inner);
    }

    @Override
    public CompletionStage<ClaimAnswer> claim(ClaimRequest request) {
        Company company = onTheirWay.merge(
                request.identity(), new Company(1, new AtomicReference<>()), (there, ignored) -> there.with(1));
        return super.claim(request)
                .thenApply(answer -> judged(answer, company))
                .whenComplete((answer, failure) -> onTheirWay.computeIfPresent(
                        request.identity(), (identity, there) -> there.claims() == 1 ? null : there.with(-1)));
    }

    private static ClaimAnswer judged(ClaimAnswer answer, Company company) {
        if (answer instanceof ClaimAnswer.Granted) {
            company.granted().set(answer);
            return answer;
        }
        ClaimAnswer granted = company.granted().get();
        return answer instanceof ClaimAnswer.Busy && granted != null ? granted : answer;
    }
}
