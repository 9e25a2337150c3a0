package dev.semel.server.gateway;

import dev.semel.http.Admission;
import dev.semel.http.Gate;
import dev.semel.http.RequestView;
import dev.semel.http.contract.ContractServer;
import dev.semel.server.gateway.config.HostPort;
import dev.semel.server.gateway.config.ListenerConfig;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;

/** The same contract with clients that speak HTTP/2: what the tests send goes through a relay that translates. */
@DisplayName("The gateway in HTTP/2")
class GatewayHttp2ContractTest extends GatewayContractTest {

    @Override
    public ContractServer.Transport transport() {
        ContractServer.Transport tested = super.transport();
        return (gate, handler) -> {
            ContractServer.Started inner = tested.start(gate, handler);
            Gateway relay = Gateway.start(
                    ListenerConfig.on(new HostPort("127.0.0.1", 0)),
                    upstreams -> new Relay(gate, routeTo(upstreams, "h2c://127.0.0.1:" + inner.port())));
            return new ContractServer.Started(relay.address().port(), () -> {
                relay.close();
                inner.stop().close();
            });
        };
    }

    /** Passes everything through. */
    private record Relay(Gate gate, Route route) implements Routing {

        @Override
        public Optional<Matched> match(RequestTarget target, RequestView head) {
            return Optional.of(new Matched(route, new Admission.PassThrough()));
        }

        @Override
        public @Nullable WebhookEndpoint webhook(RequestView head) {
            return null;
        }

        @Override
        public boolean trusts(String address) {
            return true;
        }

        @Override
        public @Nullable String caller(HttpServerRequest request) {
            return null;
        }
    }
}
