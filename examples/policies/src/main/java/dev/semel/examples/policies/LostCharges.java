package dev.semel.examples.policies;

import dev.semel.Attempt;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** {@code failures: reconcile}: the card was charged, but the answer got lost. {@link ChargeOutcomes} resolves it. */
@RestController
class LostCharges {

    private final Bank bank;

    LostCharges(Bank bank) {
        this.bank = bank;
    }

    @PostMapping("/failures-reconcile")
    void charge(Attempt attempt) {
        bank.chargeAndLoseTheAnswer(attempt.downstreamKey("charge"));
        throw new ResponseStatusException(HttpStatus.GATEWAY_TIMEOUT, "the bank did not answer");
    }
}
