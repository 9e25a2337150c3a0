package dev.semel.http.reactive;

import dev.semel.Attempt;
import dev.semel.http.Gate;
import dev.semel.http.contract.Call;
import dev.semel.http.contract.ContractServer;
import dev.semel.http.contract.ReplayAuthorizationContract;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.security.Principal;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

@DisplayName("The WebFlux filter with a replay check")
class ReactiveAuthorizationTest implements ReplayAuthorizationContract {

    @Override
    public ContractServer.Transport transport() {
        return ReactiveAuthorizationTest::start;
    }

    private static ContractServer.Started start(Gate gate, Call.Handler handler) {
        WebFilter authentication = (exchange, chain) -> chain.filter(new Authenticated(exchange));
        DisposableServer server = HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .handle(new ReactorHttpHandlerAdapter(WebHttpHandlerBuilder.webHandler(
                                exchange -> handled(new ReactiveCall(exchange), handler))
                        .filter(
                                authentication,
                                new SemelWebFilter(gate, ServerCodecConfigurer.create(), SemelWebFilter.DEFAULT_ORDER))
                        .build()))
                .bindNow();
        return new ContractServer.Started(server.port(), server::disposeNow);
    }

    private static Mono<Void> handled(ReactiveCall call, Call.Handler handler) {
        return Mono.<Void>fromCallable(() -> {
                    handler.handle(call);
                    return null;
                })
                .subscribeOn(Schedulers.boundedElastic())
                .then(Mono.defer(call::send));
    }

    private static String userOf(ServerWebExchange exchange) {
        String named = exchange.getRequest().getHeaders().getFirst("X-User");
        return named == null ? "alice" : named;
    }

    private static final class Authenticated extends ServerWebExchangeDecorator {

        Authenticated(ServerWebExchange exchange) {
            super(exchange);
        }

        @Override
        @SuppressWarnings("unchecked")
        public <T extends Principal> Mono<T> getPrincipal() {
            String user = userOf(getDelegate());
            return user.equals("anonymous") ? Mono.empty() : Mono.just((T) (Principal) () -> user);
        }
    }

    private static final class ReactiveCall implements Call {

        private final ServerWebExchange exchange;
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();

        ReactiveCall(ServerWebExchange exchange) {
            this.exchange = exchange;
        }

        Mono<Void> send() {
            ServerHttpResponse response = exchange.getResponse();
            return response.writeWith(Mono.just(response.bufferFactory().wrap(body.toByteArray())));
        }

        @Override
        public String path() {
            return exchange.getRequest().getPath().value();
        }

        @Override
        public String user() {
            return userOf(exchange);
        }

        @Override
        public Optional<Attempt> attempt() {
            return SemelWebFilter.attempt(exchange);
        }

        @Override
        public byte[] body() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void parse() {}

        @Override
        public void status(int status) {
            exchange.getResponse().setStatusCode(HttpStatusCode.valueOf(status));
        }

        @Override
        public void header(String name, String value) {
            exchange.getResponse().getHeaders().add(name, value);
        }

        @Override
        public OutputStream out() {
            return body;
        }
    }
}
