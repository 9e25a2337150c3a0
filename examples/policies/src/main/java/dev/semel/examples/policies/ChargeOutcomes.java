package dev.semel.examples.policies;

import dev.semel.Response;
import dev.semel.examples.policies.Executions.Receipt;
import dev.semel.http.Body;
import dev.semel.http.Headers;
import dev.semel.http.RecordedResponse;
import dev.semel.reconcile.OutcomeResolver;
import dev.semel.reconcile.UnknownOutcome;
import dev.semel.reconcile.Verdict;
import dev.semel.spring.ResolvesOutcomesOf;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Resolves unknown outcomes of charges: asks the bank, by the key that the attempt sent. */
@Component
@ResolvesOutcomesOf("failures-reconcile")
class ChargeOutcomes implements OutcomeResolver {

    private final Bank bank;

    ChargeOutcomes(Bank bank) {
        this.bank = bank;
    }

    @Override
    public Verdict resolve(UnknownOutcome unknown) {
        Optional<Receipt> found = bank.find(unknown.downstreamKey("charge"));
        return found.isEmpty()
                ? new Verdict.DidNotHappen("not listed by the bank") // counts only after the settle window
                : new Verdict.Happened(answer(found.get()), "listed by the bank");
    }

    private static Response answer(Receipt receipt) {
        Headers json = Headers.of("Content-Type", "application/json");
        Body body = Body.ofText("{\"number\":" + receipt.number() + "}");
        return RecordedResponse.of(201, json, body).toResponse();
    }
}
