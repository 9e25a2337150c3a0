package dev.semel.examples.payments;

import dev.semel.Attempt;
import dev.semel.OutcomeUnknownException;
import java.net.URI;
import java.security.Principal;
import org.springframework.dao.DataAccessException;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.TransactionException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/**
 * Takes payments. It runs at most once per key and account; the filter answers repeated requests.
 *
 * <p>On {@code /waiting/payments} a duplicate waits for the answer to the first instead of being refused; the difference is in
 * {@code application.yaml} only.
 */
@RestController
class PaymentsController {

    private final Payments payments;
    private final Bookings bookings;
    private final ProviderClient provider;

    PaymentsController(Payments payments, Bookings bookings, ProviderClient provider) {
        this.payments = payments;
        this.bookings = bookings;
        this.provider = provider;
    }

    @PostMapping({"/payments", "/waiting/payments"})
    ResponseEntity<Payment> create(@RequestBody PaymentRequest body, Principal account, Attempt attempt) {
        Payment payment = body.checked().toPayment(Payment.idOf(attempt::downstreamKey));
        String chargeKey = attempt.downstreamKey("charge");
        bookings.expect(account.getName(), body.orderId(), chargeKey);
        ProviderClient.Answer answer =
                provider.charge(chargeKey, attempt.lease().identity(), payment);
        if (answer != ProviderClient.Answer.CHARGED) {
            throw new PaymentFailedException(answer);
        }
        keep(account.getName(), chargeKey, payment);
        return ResponseEntity.created(URI.create("/payments/" + payment.paymentId()))
                .body(payment);
    }

    /** The money has moved: a failure from here on must not look like a payment that did not happen. */
    private void keep(String account, String chargeKey, Payment payment) {
        try {
            bookings.charged(account, chargeKey, payment);
        } catch (DataAccessException | TransactionException e) {
            throw new OutcomeUnknownException("charged, but the payment could not be stored", e);
        }
    }

    @GetMapping("/payments/{paymentId}")
    Payment find(@PathVariable String paymentId, Principal account) {
        return payments.find(account.getName(), paymentId).orElseThrow(NoSuchPaymentException::new);
    }
}
