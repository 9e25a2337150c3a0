package dev.semel;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What the exceptions of the usual clients say about the call that failed. They are known by the names of their classes, so
 * that no client is a dependency.
 */
enum KnownFailures {
    /** The call was never sent. */
    NOT_EXECUTED,
    /** The call may have been executed. */
    UNKNOWN,
    /** The other side answered, or the failure is no call's. */
    ANSWER,
    /** A client wraps its failures in it: its cause decides; without one, the outcome is unknown. */
    CALL_WRAPPER,
    /** Any code wraps exceptions in it: its cause decides. */
    WRAPPER,
    /** Not listed: probably the application's own. */
    NOT_LISTED;

    /** A class and its subclasses, up to one that is listed itself; with {@code =} the class alone. */
    private static final String TABLE = """
            WRAPPER =java.lang.Exception
            WRAPPER =java.lang.RuntimeException
            WRAPPER java.io.UncheckedIOException
            WRAPPER java.lang.reflect.InvocationTargetException
            WRAPPER java.lang.reflect.UndeclaredThrowableException
            WRAPPER java.util.concurrent.CompletionException
            WRAPPER java.util.concurrent.ExecutionException
            WRAPPER jakarta.servlet.ServletException
            WRAPPER reactor.core.Exceptions$ReactiveException

            NOT_EXECUTED java.net.ConnectException
            NOT_EXECUTED java.net.NoRouteToHostException
            NOT_EXECUTED java.net.UnknownHostException
            NOT_EXECUTED java.nio.channels.UnresolvedAddressException
            NOT_EXECUTED java.net.http.HttpConnectTimeoutException
            NOT_EXECUTED javax.net.ssl.SSLPeerUnverifiedException
            NOT_EXECUTED org.apache.http.conn.ConnectTimeoutException
            NOT_EXECUTED org.apache.hc.client5.http.ConnectTimeoutException
            NOT_EXECUTED org.apache.hc.core5.http.ConnectionRequestTimeoutException
            NOT_EXECUTED reactor.netty.internal.shaded.reactor.pool.PoolAcquireTimeoutException
            NOT_EXECUTED reactor.netty.internal.shaded.reactor.pool.PoolAcquirePendingLimitException

            UNKNOWN java.io.IOException
            UNKNOWN java.lang.InterruptedException
            UNKNOWN java.util.concurrent.TimeoutException
            UNKNOWN java.util.concurrent.CancellationException
            UNKNOWN org.apache.http.HttpException
            UNKNOWN org.apache.hc.core5.http.HttpException
            UNKNOWN io.netty.channel.ChannelException
            UNKNOWN org.eclipse.jetty.client.HttpResponseException
            UNKNOWN reactor.core.Exceptions$RetryExhaustedException
            UNKNOWN feign.RetryableException
            UNKNOWN feign.FeignException
            ANSWER feign.FeignException$FeignClientException
            UNKNOWN software.amazon.awssdk.core.exception.SdkException
            UNKNOWN com.stripe.exception.ApiConnectionException
            UNKNOWN io.github.resilience4j.circuitbreaker.CallNotPermittedException
            ANSWER java.io.FileNotFoundException
            ANSWER java.nio.file.FileSystemException

            CALL_WRAPPER org.springframework.web.client.ResourceAccessException
            CALL_WRAPPER org.springframework.web.reactive.function.client.WebClientRequestException
            UNKNOWN org.springframework.web.client.RestClientException
            UNKNOWN org.springframework.web.reactive.function.client.WebClientException
            ANSWER org.springframework.web.client.HttpClientErrorException
            UNKNOWN org.springframework.web.client.HttpClientErrorException$Conflict
            ANSWER org.springframework.web.reactive.function.client.WebClientResponseException$BadRequest
            ANSWER org.springframework.web.reactive.function.client.WebClientResponseException$Unauthorized
            ANSWER org.springframework.web.reactive.function.client.WebClientResponseException$Forbidden
            ANSWER org.springframework.web.reactive.function.client.WebClientResponseException$NotFound
            ANSWER org.springframework.web.reactive.function.client.WebClientResponseException$Gone
            ANSWER org.springframework.web.reactive.function.client.WebClientResponseException$TooManyRequests
            ANSWER org.springframework.web.reactive.function.client.WebClientResponseException$UnprocessableEntity
            ANSWER org.springframework.web.reactive.function.client.WebClientResponseException$UnprocessableContent
            CALL_WRAPPER jakarta.ws.rs.ProcessingException
            UNKNOWN jakarta.ws.rs.client.ResponseProcessingException

            CALL_WRAPPER org.springframework.jdbc.CannotGetJdbcConnectionException
            CALL_WRAPPER org.springframework.transaction.CannotCreateTransactionException
            CALL_WRAPPER org.springframework.transaction.TransactionException
            UNKNOWN org.springframework.transaction.UnexpectedRollbackException
            CALL_WRAPPER org.springframework.dao.DataAccessException
            WRAPPER org.springframework.dao.NonTransientDataAccessException
            CALL_WRAPPER org.springframework.dao.DataAccessResourceFailureException
            WRAPPER org.springframework.dao.OptimisticLockingFailureException
            WRAPPER jakarta.persistence.PersistenceException
            CALL_WRAPPER jakarta.persistence.RollbackException
            WRAPPER org.hibernate.HibernateException

            UNKNOWN org.apache.kafka.common.KafkaException
            ANSWER org.apache.kafka.common.errors.SerializationException
            CALL_WRAPPER org.springframework.kafka.KafkaException
            UNKNOWN jakarta.jms.JMSException
            UNKNOWN javax.jms.JMSException
            CALL_WRAPPER org.springframework.jms.JmsException
            UNKNOWN com.rabbitmq.client.ShutdownSignalException
            CALL_WRAPPER org.springframework.amqp.AmqpException
            UNKNOWN io.lettuce.core.RedisException

            ANSWER dev.semel.StoreException
            ANSWER dev.semel.RefusedException
            """;

    private static final Map<String, KnownFailures> BY_NAME = byName();

    private static final String GRPC = "io.grpc.Status";

    /** The codes of gRPC that a server's handler or a check before it answers with. All others leave doubt. */
    private static final Set<String> GRPC_ANSWERS = Set.of(
            "INVALID_ARGUMENT",
            "NOT_FOUND",
            "ALREADY_EXISTS",
            "PERMISSION_DENIED",
            "UNAUTHENTICATED",
            "FAILED_PRECONDITION",
            "OUT_OF_RANGE",
            "UNIMPLEMENTED");

    /** Libraries that call again and throw only the last exception, such as a refused connection after a lost answer. */
    private static final List<String> RETRYING = List.of(
            "io.github.resilience4j.retry.",
            "org.springframework.retry.",
            "org.springframework.core.retry.",
            "org.springframework.resilience.retry.",
            "dev.failsafe.",
            "feign.");

    /** The JDK's URLConnection sends a POST again by itself, and follows redirects: in these methods it has sent one. */
    private static final Pattern SENDING_AGAIN = Pattern.compile("parseHTTP.*|followRedirect.*");

    /** The classes whose {@code getConnection} fails before a statement is sent. */
    private static final Pattern CONNECTION_SOURCE =
            Pattern.compile("java\\.sql\\.DriverManager|.*DataSource|.*DataSourceProxy|com\\.zaxxer\\.hikari\\..*");

    static KnownFailures of(Throwable failure) {
        if (failure instanceof SQLException database) {
            return isThrownWhileConnecting(database) ? NOT_EXECUTED : SqlStates.meaningOf(database);
        }
        String name = failure.getClass().getName();
        if (name.startsWith(GRPC) && name.endsWith("Exception")) {
            return ofGrpc(String.valueOf(failure.getMessage()));
        }
        if (name.equals("java.net.SocketTimeoutException") && isThrownBy(failure, "java.net.Socket", "connect")) {
            return NOT_EXECUTED;
        }
        if (name.equals("javax.net.ssl.SSLHandshakeException")
                && failure.getCause() instanceof java.security.cert.CertificateException) {
            // This side refused the certificate of the other, before it sent anything.
            return NOT_EXECUTED;
        }
        return listed(failure.getClass());
    }

    /** Whether these frames are of code that may have sent the request before. */
    static boolean mayHaveSentBefore(StackTraceElement[] frames) {
        return Arrays.stream(frames)
                .anyMatch(frame -> RETRYING.stream().anyMatch(frame.getClassName()::startsWith)
                        || (frame.getClassName().startsWith("sun.net.www.")
                                && SENDING_AGAIN.matcher(frame.getMethodName()).matches()));
    }

    private static KnownFailures listed(Class<?> type) {
        KnownFailures exactly = BY_NAME.get("=" + type.getName());
        if (exactly != null) {
            return exactly;
        }
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            KnownFailures known = BY_NAME.get(each.getName());
            if (known != null) {
                return known;
            }
        }
        return NOT_LISTED;
    }

    /** The message of gRPC's exceptions starts with the code. */
    private static KnownFailures ofGrpc(String message) {
        int end = message.indexOf(':');
        return GRPC_ANSWERS.contains(end < 0 ? message : message.substring(0, end)) ? ANSWER : UNKNOWN;
    }

    private static boolean isThrownBy(Throwable failure, String type, String method) {
        return Arrays.stream(failure.getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals(type)
                        && frame.getMethodName().equals(method));
    }

    private static boolean isThrownWhileConnecting(SQLException failure) {
        return Arrays.stream(failure.getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals("getConnection")
                        && CONNECTION_SOURCE.matcher(frame.getClassName()).matches());
    }

    private static Map<String, KnownFailures> byName() {
        Map<String, KnownFailures> names = new HashMap<>();
        TABLE.lines().filter(line -> !line.isBlank()).forEach(line -> {
            String[] parts = line.split(" ", 2);
            names.put(parts[1], valueOf(parts[0]));
        });
        return Map.copyOf(names);
    }
}
