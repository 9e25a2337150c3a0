package dev.semel.client;

import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpHeaders;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLHandshakeException;

/** Why an attempt got no final answer. */
public sealed interface Setback {

    /** Whether it proves that this attempt was not executed. */
    boolean provesNotExecuted();

    /** A response that is retried. */
    record Response(int status, HttpHeaders headers, Map<String, String> fields) implements Setback {

        /** Too early, too many: the operation was not started. A 503 proves nothing: any proxy can send it at any time. */
        private static final Set<Integer> REFUSALS = Set.of(425, 429);

        static Response of(Reply reply) {
            return new Response(reply.status(), reply.headers(), reply.fields());
        }

        /** Returns the code of a problem, such as {@code idempotency_outcome_unknown}. */
        public Optional<String> code() {
            return new Reply(status, headers, fields).code();
        }

        /** Returns what the server says a client does next. */
        public Optional<Reply.Next> next() {
            return new Reply(status, headers, fields).next();
        }

        @Override
        public boolean provesNotExecuted() {
            return REFUSALS.contains(status)
                    || code().filter("idempotency_not_executed"::equals).isPresent();
        }

        @Override
        public String toString() {
            return "status " + status + code().map(code -> " " + code).orElse("");
        }
    }

    /** No response: the connection failed or was lost, or it took too long. */
    record Failure(Exception cause) implements Setback {

        @Override
        public boolean provesNotExecuted() {
            return cause instanceof ConnectException
                    || cause instanceof HttpConnectTimeoutException
                    || cause instanceof UnknownHostException
                    || cause instanceof SSLHandshakeException;
        }

        @Override
        public String toString() {
            return cause.toString();
        }
    }
}
