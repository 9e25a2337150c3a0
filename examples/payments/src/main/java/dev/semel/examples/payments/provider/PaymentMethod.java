package dev.semel.examples.payments.provider;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The test methods of payment, which decide how {@link Cashier} behaves. */
public enum PaymentMethod {
    /** Charged and answered at once. */
    PM_OK,
    /** Declined at once, and not charged. */
    PM_DECLINED,
    /** Charged at once, answered after some seconds: time to send duplicates, or to kill a process. */
    PM_SLOW,
    /** The provider fails before it charges, and answers so. */
    PM_ERROR,
    /** Charged at once, never answered. */
    PM_TIMEOUT_CHARGED,
    /** The first request of a key is neither charged nor answered; the next ones are both, at once. */
    PM_TIMEOUT_NOT_CHARGED,
    /** Charged long after the request, and not in the ledger before; not answered until then. */
    PM_LATE;

    /** The name in requests, such as {@code pm_ok}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<PaymentMethod> ofLabel(String label) {
        return Arrays.stream(values())
                .filter(method -> method.label().equals(label))
                .findFirst();
    }

    /** All labels, for messages. */
    public static String labels() {
        return Arrays.stream(values()).map(PaymentMethod::label).collect(Collectors.joining(", "));
    }
}
