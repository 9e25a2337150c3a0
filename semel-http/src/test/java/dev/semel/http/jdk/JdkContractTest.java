package dev.semel.http.jdk;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import dev.semel.Attempt;
import dev.semel.http.Gate;
import dev.semel.http.contract.AnswersContract;
import dev.semel.http.contract.Call;
import dev.semel.http.contract.ContractServer;
import dev.semel.http.contract.DeliveryContract;
import dev.semel.http.contract.FailuresContract;
import dev.semel.http.contract.HostileContract;
import dev.semel.http.contract.PromiseContract;
import dev.semel.http.contract.ReplayAuthorizationContract;
import dev.semel.http.contract.ReplayContract;
import dev.semel.http.contract.SimultaneousContract;
import dev.semel.http.contract.StatusContract;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The handler for the JDK's server")
class JdkContractTest
        implements AnswersContract,
                PromiseContract,
                ReplayContract,
                ReplayAuthorizationContract,
                StatusContract,
                FailuresContract,
                DeliveryContract,
                SimultaneousContract,
                HostileContract {

    @Override
    public ContractServer.Transport transport() {
        return new ContractServer.Transport() {
            @Override
            public ContractServer.Started start(Gate gate, Call.Handler handler) throws IOException {
                JdkServer server = JdkServer.start(new SemelHttpHandler(gate, exchange -> handle(exchange, handler)));
                return new ContractServer.Started(server.port(), server);
            }

            @Override
            public String owner(String user) {
                return JdkServer.REALM + ":" + user;
            }
        };
    }

    /** The server closes the connection of a handler that throws. */
    @Override
    public void payAndFail(ContractServer server, String key) {
        assertThatThrownBy(() -> server.pay(key)).hasMessageContaining("the connection was closed");
    }

    /** Closes the exchange as usual code does, also when the handler throws. */
    private static void handle(HttpExchange exchange, Call.Handler handler) throws IOException {
        JdkCall call = new JdkCall(exchange);
        try (exchange) {
            handler.handle(call);
            call.end();
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static final class JdkCall implements Call {

        private final HttpExchange exchange;
        private int status = 200;

        JdkCall(HttpExchange exchange) {
            this.exchange = exchange;
        }

        @Override
        public String path() {
            return exchange.getRequestURI().getPath();
        }

        @Override
        public String user() {
            return exchange.getPrincipal().getUsername();
        }

        @Override
        public Optional<Attempt> attempt() {
            return SemelHttpHandler.attempt(exchange);
        }

        @Override
        public byte[] body() throws IOException {
            return exchange.getRequestBody().readAllBytes();
        }

        @Override
        public void parse() throws IOException {
            body();
        }

        @Override
        public void status(int newStatus) {
            status = newStatus;
        }

        @Override
        public void header(String name, String value) {
            exchange.getResponseHeaders().add(name, value);
        }

        @Override
        public OutputStream out() throws IOException {
            if (exchange.getResponseCode() < 0) {
                exchange.sendResponseHeaders(status, 0);
            }
            return exchange.getResponseBody();
        }

        void end() throws IOException {
            if (exchange.getResponseCode() < 0) {
                exchange.sendResponseHeaders(status, -1);
            }
        }
    }
}
