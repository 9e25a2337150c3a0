package dev.semel.examples.payments.provider;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The test methods of payment: what each does with the money, and how long the answer takes. */
public enum PaymentMethod {
    PM_OK(Effect.CHARGE, Duration.ZERO),
    PM_DECLINED(Effect.DECLINE, Duration.ZERO),
    /** Long enough to send duplicates, or to kill somebody, while the charge is made and not yet answered. */
    PM_SLOW(Effect.CHARGE, Duration.ofSeconds(3)),
    PM_ERROR(Effect.FAIL, Duration.ZERO);

    /** What becomes of the money. */
    enum Effect {
        CHARGE,
        DECLINE,
        /** The provider fails before it does anything. */
        FAIL
    }

    private final Effect effect;
    private final Duration delay;

    PaymentMethod(Effect effect, Duration delay) {
        this.effect = effect;
        this.delay = delay;
    }

    Effect effect() {
        return effect;
    }

    /** How long the answer takes after the effect. */
    Duration delay() {
        return delay;
    }

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
