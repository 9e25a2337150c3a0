package dev.semel.server.gateway;

import dev.semel.Attempt;
import dev.semel.NotExecutedException;
import dev.semel.OutcomeUnknownException;
import dev.semel.http.Gate;
import dev.semel.http.PathPattern;
import dev.semel.http.RequestView;
import dev.semel.http.contract.AnswersContract;
import dev.semel.http.contract.Call;
import dev.semel.http.contract.ContractServer;
import dev.semel.http.contract.DeliveryContract;
import dev.semel.http.contract.HostileContract;
import dev.semel.http.contract.PromiseContract;
import dev.semel.http.contract.ReplayAuthorizationContract;
import dev.semel.http.contract.ReplayContract;
import dev.semel.http.contract.ResponsesContract;
import dev.semel.http.contract.SimultaneousContract;
import dev.semel.http.contract.StatusContract;
import dev.semel.server.gateway.config.HostPort;
import dev.semel.server.gateway.config.ListenerConfig;
import dev.semel.server.gateway.config.RouteConfig;
import dev.semel.server.gateway.config.UpstreamAddress;
import io.vertx.core.http.HttpServerRequest;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;

/** The contract of every transport, through the gateway, with a service in another place than the gate. */
@DisplayName("The gateway")
class GatewayContractTest
        implements AnswersContract,
                PromiseContract,
                ReplayContract,
                ReplayAuthorizationContract,
                StatusContract,
                ResponsesContract,
                DeliveryContract,
                SimultaneousContract,
                HostileContract {

    @Override
    public ContractServer.Transport transport() {
        return (gate, handler) -> {
            LedgerService service = new LedgerService();
            service.work = request -> answer(new ServiceCall(request), handler);
            Gateway gateway = Gateway.start(
                    ListenerConfig.on(new HostPort("127.0.0.1", 0)),
                    upstreams -> new GatedRouting(gate, routeTo(upstreams, service.url())));
            return new ContractServer.Started(gateway.address().port(), () -> {
                gateway.close();
                service.close();
            });
        };
    }

    /** A route that sends every request to this service, and tells it the number of the attempt. */
    static Route routeTo(Upstreams upstreams, String url) {
        UpstreamAddress address = UpstreamAddress.parse(url);
        RouteConfig config = new RouteConfig(
                "all",
                Set.of(),
                Set.of(),
                PathPattern.of("*"),
                null,
                null,
                address,
                new RouteConfig.Timeouts(
                        TestGateway.LONG, TestGateway.LONG, TestGateway.LONG, TestGateway.LONG, TestGateway.LONG),
                Set.of(RouteConfig.Extra.ATTEMPT));
        return new Route(config, upstreams.at(address, config.timeouts()), null);
    }

    /** What a service does where code in the same process throws: it breaks off, or answers that it did nothing. */
    private static byte[] answer(ServiceCall call, Call.Handler handler) throws Exception {
        try {
            handler.handle(call);
            return call.answer();
        } catch (OutcomeUnknownException e) {
            return new byte[0];
        } catch (NotExecutedException e) {
            call.status(429);
            return call.answer();
        }
    }

    /** The routes of a gate, all to one service. */
    private record GatedRouting(Gate gate, Route route) implements Routing {

        @Override
        public Optional<Matched> match(RequestTarget target, RequestView head) {
            return Optional.of(new Matched(route, gate.admit(head)));
        }

        @Override
        public @Nullable WebhookEndpoint webhook(RequestView head) {
            return null;
        }

        @Override
        public boolean trusts(String address) {
            return false;
        }

        @Override
        public @Nullable String caller(HttpServerRequest request) {
            String named = request.getHeader("X-User");
            String user = named == null ? "alice" : named;
            return user.equals("anonymous") ? null : user;
        }
    }

    private static final class ServiceCall implements Call {

        private final LedgerService.Received request;
        private final StringBuilder headers = new StringBuilder();
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();
        private int status = 200;

        ServiceCall(LedgerService.Received request) {
            this.request = request;
        }

        @Override
        public String path() {
            return request.line().split(" ")[1];
        }

        @Override
        public String user() {
            String user = request.header("X-User");
            return user.isEmpty() ? "alice" : user;
        }

        /** A service in another process knows of an attempt what the gateway tells it. */
        @Override
        public Optional<Attempt> attempt() {
            String number = request.header("Semel-Attempt");
            return number.isEmpty() ? Optional.empty() : Optional.of(told(Integer.parseInt(number)));
        }

        private static Attempt told(int number) {
            return (Attempt) Proxy.newProxyInstance(
                    Attempt.class.getClassLoader(), new Class<?>[] {Attempt.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals("number")) {
                            return number;
                        }
                        throw new UnsupportedOperationException(method.getName());
                    });
        }

        @Override
        public byte[] body() {
            return request.body().getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public void parse() {}

        @Override
        public void status(int newStatus) {
            status = newStatus;
        }

        @Override
        public void header(String name, String value) {
            headers.append(name).append(": ").append(value).append("\r\n");
        }

        @Override
        public OutputStream out() {
            return body;
        }

        byte[] answer() {
            boolean bodiless = status == 204 || request.line().startsWith("HEAD ");
            String length = status == 204 ? "" : "Content-Length: " + body.size() + "\r\n";
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            all.writeBytes(("HTTP/1.1 " + status + " Answer\r\nConnection: close\r\n" + headers + length + "\r\n")
                    .getBytes(StandardCharsets.ISO_8859_1));
            all.writeBytes(bodiless ? new byte[0] : body.toByteArray());
            return all.toByteArray();
        }
    }
}
