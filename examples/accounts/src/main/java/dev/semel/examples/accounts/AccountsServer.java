package dev.semel.examples.accounts;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.semel.Execution;
import dev.semel.Refusal;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.sql.SQLException;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.json.JsonMapper;

/** Takes commands as JSON over HTTP, on loopback. */
final class AccountsServer implements AutoCloseable {

    /** Longer than any command. */
    private static final int MAX_BODY_BYTES = 4096;

    private static final int THREADS = 16;

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private final Accounts accounts;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

    private record Answer(int status, Object body, boolean replayed) {

        static Answer error(int status, String error) {
            return new Answer(status, Map.of("error", error), false);
        }
    }

    private record Balance(String account, long balanceCents) {}

    private interface Endpoint {
        Answer answer(HttpExchange exchange) throws IOException, SQLException;
    }

    private AccountsServer(Accounts accounts, int port) throws IOException {
        this.accounts = accounts;
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.setExecutor(threads);
        server.createContext("/commands", exchange -> serve(exchange, "POST", this::command));
        server.createContext("/accounts/", exchange -> serve(exchange, "GET", this::account));
    }

    static AccountsServer start(Accounts accounts, int port) throws IOException {
        AccountsServer started = new AccountsServer(accounts, port);
        started.server.start();
        return started;
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    private Answer command(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readNBytes(MAX_BODY_BYTES + 1);
        if (body.length > MAX_BODY_BYTES) {
            return Answer.error(413, "a command has at most " + MAX_BODY_BYTES + " bytes");
        }
        AccountCommand command;
        try {
            command = AccountCommand.of(JSON.readTree(body));
        } catch (JacksonException e) {
            return Answer.error(400, "the body is not JSON");
        } catch (IllegalArgumentException e) {
            return Answer.error(400, String.valueOf(e.getMessage()));
        }
        return answerTo(accounts.execute(command));
    }

    private static Answer answerTo(Execution<Receipt> execution) {
        if (execution instanceof Execution.Ran<Receipt> ran) {
            return receipt(ran.value(), false);
        }
        if (execution instanceof Execution.Replayed<Receipt> replayed) {
            return receipt(replayed.value(), true);
        }
        if (execution instanceof Execution.Refused<Receipt> refused && refused.why() instanceof Refusal.Mismatch) {
            return Answer.error(422, "another command has this commandId: use a new one");
        }
        return Answer.error(503, "there is no result yet: send the same command again");
    }

    private static Answer receipt(Receipt receipt, boolean replayed) {
        return new Answer(receipt.isChange() ? 200 : 409, receipt, replayed);
    }

    private Answer account(HttpExchange exchange) throws SQLException {
        String name = exchange.getRequestURI().getPath().substring("/accounts/".length());
        OptionalLong balance = accounts.balanceOf(name);
        return balance.isPresent()
                ? new Answer(200, new Balance(name, balance.getAsLong()), false)
                : Answer.error(404, "there is no such account");
    }

    private static void serve(HttpExchange exchange, String method, Endpoint endpoint) throws IOException {
        try (exchange) {
            Answer answer;
            try {
                answer = exchange.getRequestMethod().equals(method)
                        ? endpoint.answer(exchange)
                        : Answer.error(405, "use " + method);
            } catch (SQLException | RuntimeException e) {
                System.err.println("a request failed: " + e);
                answer = Answer.error(503, "the command was not executed: send the same command again");
            }
            byte[] body = JSON.writeValueAsBytes(answer.body());
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            if (answer.replayed()) {
                exchange.getResponseHeaders().set("Idempotency-Replayed", "true");
            }
            if (answer.status() == 503) {
                exchange.getResponseHeaders().set("Retry-After", "1");
            }
            exchange.sendResponseHeaders(answer.status(), body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdown();
    }
}
