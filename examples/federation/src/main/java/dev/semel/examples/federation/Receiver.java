package dev.semel.examples.federation;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.semel.Failures;
import dev.semel.Operation;
import dev.semel.Retention;
import dev.semel.engine.SemelEngine;
import dev.semel.jdbc.sqlite.SqliteStore;
import dev.semel.messaging.federation.FederationHandler;
import dev.semel.messaging.federation.FederationMessage;
import dev.semel.messaging.federation.FederationReply;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * The bank {@code bank-b}, which takes messages at {@code POST /federation}, on loopback.
 *
 * <ol>
 *   <li>The sender is authenticated by its token, and must be the one that the message names.
 *   <li>The handler executes each message once, and answers each repetition with the first result.
 *   <li>The reply says by its HTTP status what the sender should do: 200 is final, 422 is final and nothing was done, 503 asks
 *       to send the same message again.
 * </ol>
 */
final class Receiver implements AutoCloseable {

    static final String NAME = "bank-b";

    /** A token for each bank that may send. These are public: this is an example. */
    static final Map<String, String> TOKENS = Map.of("bank-a", "token-of-bank-a", "bank-c", "token-of-bank-c");

    private static final int MAX_BODY_BYTES = 65_536;
    private static final int THREADS = 16;

    /** A credit is found again by its message, so executing it again after a crash or a failure of the database is safe. */
    private static final Operation CREDIT = Operation.named("credit")
            .retention(Retention.PAYMENT)
            .lease(Duration.ofSeconds(2))
            .waitUpTo(Duration.ofSeconds(10))
            .failureRule(failure -> failure instanceof SQLException ? Optional.of(Failures.RETRY) : Optional.empty())
            .reexecutableAfterCrash();

    private final Bank bank;
    private final SemelEngine semel;
    private final FederationHandler handler;
    private final Set<String> answersToLose = ConcurrentHashMap.newKeySet();
    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

    private Receiver(Path directory, int port) throws IOException, SQLException {
        Files.createDirectories(directory);
        bank = new Bank(directory.resolve("bank.db"));
        semel = SemelEngine.on(SqliteStore.open(directory.resolve("semel.db"))).build();
        handler = FederationHandler.of(semel, NAME)
                .action("credit", CREDIT, (message, attempt) -> bank.credit(message))
                .build();
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.setExecutor(threads);
        server.createContext("/federation", this::receive);
        server.createContext("/accounts/", this::account);
    }

    /**
     * Starts the bank on the data in a directory, which is created if need be.
     *
     * @param losing ids of messages whose first answer gets lost: the connection is closed instead
     */
    static Receiver start(Path directory, int port, Set<String> losing) throws IOException, SQLException {
        Receiver receiver = new Receiver(directory, port);
        receiver.answersToLose.addAll(losing);
        receiver.server.start();
        return receiver;
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    private void receive(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readNBytes(MAX_BODY_BYTES + 1);
            if (body.length > MAX_BODY_BYTES) {
                answer(exchange, 413, "{\"error\":\"too long\"}");
                return;
            }
            FederationMessage message;
            try {
                message = Wire.readMessage(body);
            } catch (IllegalArgumentException e) {
                answer(exchange, 400, "{\"error\":\"a message has id, from, to, action, payload and timestamp\"}");
                return;
            }
            if (!isFrom(message.from(), exchange.getRequestHeaders().getFirst("Authorization"))) {
                answer(exchange, 401, "{\"error\":\"the token is not that of the sender\"}");
                return;
            }
            FederationReply reply = handler.handle(message);
            if (answersToLose.remove(message.id())) {
                return; // Closes the connection without an answer.
            }
            answer(exchange, statusOf(reply), new String(Wire.write(reply), StandardCharsets.UTF_8));
        }
    }

    private static boolean isFrom(String sender, @Nullable String authorization) {
        String token = TOKENS.get(sender);
        return token != null
                && authorization != null
                && MessageDigest.isEqual(
                        ("Bearer " + token).getBytes(StandardCharsets.UTF_8),
                        authorization.getBytes(StandardCharsets.UTF_8));
    }

    private static int statusOf(FederationReply reply) {
        if (reply instanceof FederationReply.Refused) {
            return 422;
        }
        return reply instanceof FederationReply.Later ? 503 : 200;
    }

    private void account(HttpExchange exchange) throws IOException {
        try (exchange) {
            String account = exchange.getRequestURI().getPath().substring("/accounts/".length());
            answer(exchange, 200, "{\"balanceCents\":" + bank.balanceOf(account) + "}");
        } catch (SQLException e) {
            throw new IOException(e);
        }
    }

    private static void answer(HttpExchange exchange, int status, String json) throws IOException {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        if (status == 503) {
            exchange.getResponseHeaders().set("Retry-After", "1");
        }
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }

    @Override
    public void close() throws SQLException {
        server.stop(0);
        threads.shutdown();
        semel.close();
        bank.close();
    }
}
