package dev.semel.examples.payments;

import dev.semel.Identity;
import dev.semel.Response;
import dev.semel.http.Body;
import dev.semel.http.Headers;
import dev.semel.http.RecordedResponse;
import dev.semel.reconcile.OutcomeResolver;
import dev.semel.reconcile.UnknownOutcome;
import dev.semel.reconcile.Verdict;
import dev.semel.spring.ResolvesOutcomesOf;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.springframework.http.ProblemDetail;
import tools.jackson.databind.json.JsonMapper;

/**
 * Resolves unknown outcomes of payments: asks the provider for the charge, and rebuilds the answer that the client would have
 * got.
 *
 * <p>A decline is an answer like a charge. A charge that the provider does not have yet may still be made, so the reconciler
 * believes "did not happen" only after the settle window.
 */
@ResolvesOutcomesOf({"create-payment", "await-payment"})
final class PaymentOutcomes implements OutcomeResolver {

    private final ProviderClient provider;
    private final Bookings bookings;
    private final JsonMapper json;

    PaymentOutcomes(ProviderClient provider, Bookings bookings, JsonMapper json) {
        this.provider = provider;
        this.bookings = bookings;
        this.json = json;
    }

    @Override
    public Verdict resolve(UnknownOutcome unknown) throws IOException, InterruptedException {
        Optional<Charge> found = provider.find(unknown.downstreamKey("charge"));
        if (found.isEmpty()) {
            return new Verdict.DidNotHappen("the provider has no such charge");
        }
        Charge charge = found.get();
        if (!charge.isDecided()) {
            return new Verdict.CannotTellYet(charge.status() + " as " + charge.id());
        }
        return new Verdict.Happened(
                answerTo(unknown.identity(), unknown::downstreamKey, charge), charge.status() + " as " + charge.id());
    }

    /**
     * The answer that the client would have got, which retries get from now on. A payment that was charged is booked first, so
     * that clients find it, and its order paid, as soon as they get the answer.
     */
    Response answerTo(Identity identity, UnaryOperator<String> downstreamKey, Charge charge) {
        if (charge.isDeclined()) {
            ProblemDetail problem = Problems.of(new PaymentFailedException(ProviderClient.Answer.DECLINED));
            problem.setInstance(URI.create("/payments"));
            return recorded(problem.getStatus(), Headers.of("Content-Type", "application/problem+json"), problem);
        }
        Payment payment = charge.toPayment(Payment.idOf(downstreamKey));
        bookings.charged(identity.scope().value(), charge.key(), payment);
        Headers headers =
                Headers.of("Location", "/payments/" + payment.paymentId()).with("Content-Type", "application/json");
        return recorded(201, headers, payment);
    }

    private Response recorded(int status, Headers headers, Object body) {
        return RecordedResponse.of(status, headers, Body.of(json.writeValueAsBytes(body)))
                .toResponse();
    }
}
