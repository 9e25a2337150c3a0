package dev.semel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.semel.FaultyPeer.Fault;
import java.io.IOException;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("The safe rule, on real failures of real clients")
class SafeFailuresTest {

    private static final Failures.Rule SAFE = Failures.Rule.SAFE;
    private static final Optional<Failures> NOT_EXECUTED = Optional.of(Failures.RETRY);
    private static final Optional<Failures> UNKNOWN = Optional.of(Failures.RECONCILE);
    private static final Optional<Failures> NOTHING = Optional.empty();

    private static final Set<Fault> BEFORE_A_BYTE =
            EnumSet.of(Fault.REFUSED, Fault.NO_SUCH_HOST, Fault.CONNECT_TIMEOUT);

    /** A failure of the client's own, and how many bytes the server got before it. */
    private record Failed(Exception failure, long bytesReceived) {}

    private static Failed failureOf(RealClients client, Fault fault) throws IOException {
        try (FaultyPeer peer = FaultyPeer.that(fault)) {
            Exception failure =
                    catchThrowableOfType(Exception.class, () -> client.post(peer.url(), RealClients.Limits.of(fault)));
            assertThat(failure).as("exception of the client").isNotNull();
            return new Failed(failure, peer.bytesReceived());
        }
    }

    private static Exception refused() throws IOException {
        return failureOf(RealClients.SOCKET, Fault.REFUSED).failure();
    }

    private static Exception timedOut() throws IOException {
        return failureOf(RealClients.SOCKET, Fault.SILENT).failure();
    }

    static Stream<Arguments> failures() {
        return Stream.of(RealClients.values())
                .flatMap(client -> Stream.of(Fault.values())
                        .filter(fault -> fault != Fault.REDIRECTED_TO_GONE)
                        // The JDK's URLConnection returns the part of the body that it got.
                        .filter(fault -> client != RealClients.URL_CONNECTION || fault != Fault.CUT_OFF)
                        .map(fault -> Arguments.of(client, fault)));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("failures")
    void says_not_executed_only_where_not_a_byte_was_sent(RealClients client, Fault fault) throws IOException {
        Failed failed = failureOf(client, fault);

        Optional<Failures> meaning = SAFE.judge(failed.failure());
        // Jetty's exception for this is the one for an answer that does not come.
        boolean ambiguous = client == RealClients.JETTY && fault == Fault.CONNECT_TIMEOUT;
        assertThat(meaning).isEqualTo(BEFORE_A_BYTE.contains(fault) && !ambiguous ? NOT_EXECUTED : UNKNOWN);
        if (meaning.equals(NOT_EXECUTED)) {
            assertThat(failed.bytesReceived()).isZero();
        } else if (!ambiguous) {
            assertThat(failed.bytesReceived()).isPositive();
        }
    }

    @Test
    void notices_that_the_url_connection_has_followed_a_redirect() throws IOException {
        assertThat(SAFE.judge(failureOf(RealClients.URL_CONNECTION, Fault.REDIRECTED_TO_GONE)
                        .failure()))
                .isEqualTo(UNKNOWN);
    }

    /** The limit that docs/reference/failures.md names: nothing in the exception tells which of two requests it is of. */
    @ParameterizedTest
    @EnumSource(names = {"APACHE_5", "OKHTTP", "JETTY"})
    void cannot_notice_that_another_client_has_followed_a_redirect(RealClients client) throws IOException {
        Failed failed = failureOf(client, Fault.REDIRECTED_TO_GONE);
        assertThat(failed.bytesReceived()).isPositive();
        assertThat(SAFE.judge(failed.failure())).isEqualTo(NOT_EXECUTED);
    }

    @Test
    void does_not_take_a_rolled_back_statement_of_a_batch_for_the_whole_batch() {
        assertThat(SAFE.judge(new SQLException("deadlock", "40001"))).isEqualTo(NOT_EXECUTED);
        assertThat(SAFE.judge(new BatchUpdateException("deadlock", "40001", new int[] {1})))
                .isEqualTo(UNKNOWN);
    }

    @Test
    void looks_into_wrappers_of_any_code() throws IOException {
        Exception refused = refused();
        assertThat(SAFE.judge(new CompletionException(new RuntimeException(refused))))
                .isEqualTo(NOT_EXECUTED);
        assertThat(SAFE.judge(new RuntimeException("failed", timedOut()))).isEqualTo(UNKNOWN);
    }

    private static final class PaymentFailedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        PaymentFailedException(Throwable cause) {
            super(cause);
        }
    }

    @Test
    void believes_no_proof_within_an_exception_of_the_application() throws IOException {
        assertThat(SAFE.judge(new PaymentFailedException(refused()))).isEqualTo(UNKNOWN);
        assertThat(SAFE.judge(new PaymentFailedException(timedOut()))).isEqualTo(UNKNOWN);
    }

    @Test
    void believes_no_proof_beside_a_suppressed_exception_that_says_otherwise() throws IOException {
        Exception withLost = refused();
        withLost.addSuppressed(timedOut());
        assertThat(SAFE.judge(withLost)).isEqualTo(UNKNOWN);

        Exception withRefused = refused();
        withRefused.addSuppressed(refused());
        withRefused.addSuppressed(new IllegalStateException("an address was skipped"));
        assertThat(SAFE.judge(withRefused)).isEqualTo(NOT_EXECUTED);
    }

    @Test
    void believes_no_proof_from_within_a_library_that_tries_again() throws IOException {
        Exception refused = refused();
        StackTraceElement[] frames = refused.getStackTrace();
        frames[frames.length - 1] =
                new StackTraceElement("io.github.resilience4j.retry.Retry", "lambda$decorate$1", "Retry.java", 1);
        refused.setStackTrace(frames);
        assertThat(SAFE.judge(refused)).isEqualTo(UNKNOWN);
    }

    @Test
    void leaves_the_applications_own_answers_to_the_default() {
        assertThat(SAFE.judge(new IllegalArgumentException("no such currency"))).isEqualTo(NOTHING);
        assertThat(SAFE.judge(new PaymentFailedException(new IllegalStateException("declined"))))
                .isEqualTo(NOTHING);
    }

    @Test
    void ends_on_causes_that_form_a_circle() throws IOException {
        IllegalStateException first = new IllegalStateException("first");
        IllegalStateException second = new IllegalStateException("second", first);
        first.initCause(second);
        assertThat(SAFE.judge(first)).isEqualTo(UNKNOWN);

        Exception refused = refused();
        refused.addSuppressed(new CompletionException(refused));
        assertThat(SAFE.judge(refused)).isEqualTo(UNKNOWN);
    }

    @Test
    void comes_with_the_retention_of_payments_unless_the_operation_says_what_failures_mean() throws IOException {
        Operation plain = Operation.named("pay");
        Exception refused = refused();
        assertThat(plain.rule().judge(refused)).isEqualTo(NOTHING);
        assertThat(plain.retention(Retention.ORDER).rule().judge(refused)).isEqualTo(NOTHING);

        Operation payment = plain.retention(Retention.PAYMENT);
        assertThat(payment.rule().judge(refused)).isEqualTo(NOT_EXECUTED);
        assertThat(payment.rule().judge(timedOut())).isEqualTo(UNKNOWN);
        assertThat(payment.hasOwnRule()).isFalse();

        Failures.Rule own = failure -> Optional.of(Failures.REPLAY);
        assertThat(plain.failureRule(own).retention(Retention.PAYMENT).rule()).isSameAs(own);
        assertThat(payment.failureRule(own).rule()).isSameAs(own);
        assertThat(payment.failures(Failures.RECONCILE).rule()).isSameAs(Failures.Rule.NONE);
        assertThat(plain.failures(Failures.RETRY).retention(Retention.PAYMENT).rule())
                .isSameAs(Failures.Rule.NONE);
        assertThat(payment.failureRule(SAFE).failures(Failures.RECONCILE).rule())
                .isSameAs(SAFE);
        assertThat(payment.failureRule(SAFE).hasOwnRule()).isTrue();
    }
}
