package dev.semel.http.reactive;

import dev.semel.Operation;
import dev.semel.Scope;
import dev.semel.engine.SemelEngine;
import dev.semel.http.Gate;
import dev.semel.http.GateBuilder;
import dev.semel.http.RoutePolicy;
import dev.semel.http.RoutePolicyBuilder;
import dev.semel.http.Routes;
import dev.semel.http.key.ScopeStrategy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.web.reactive.config.EnableWebFlux;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.reactive.result.method.annotation.ArgumentResolverConfigurer;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.resources.LoopResources;

/** A WebFlux application without Spring Boot, on Netty with a single event loop, as its clients see it. */
final class ReactiveServer implements AutoCloseable {

    @Configuration(proxyBeanMethods = false)
    @EnableWebFlux
    static class WebFlux implements WebFluxConfigurer {

        @Override
        public void configureArgumentResolvers(ArgumentResolverConfigurer configurer) {
            configurer.addCustomResolver(new ReactiveAttemptArgument());
        }

        @Bean
        ReactiveRoutingFailures routingFailures() {
            return new ReactiveRoutingFailures();
        }
    }

    private final WatchedStore store = new WatchedStore();
    private final SemelEngine semel = SemelEngine.on(store).build();
    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** One thread: a handler or a filter that blocks it delays every other request, which a test notices. */
    private final LoopResources eventLoop = LoopResources.create("only", 1, true);

    private final DisposableServer server;

    private ReactiveServer(Settings settings) {
        Gate gate = settings.gate
                .apply(Gate.on(semel, settings.routes(), ScopeStrategy.fixed(Scope.GLOBAL)))
                .build();
        context.register(WebFlux.class);
        context.register(settings.beans);
        context.registerBean(
                SemelWebFilter.class,
                () -> new SemelWebFilter(
                        gate, context.getBean(ServerCodecConfigurer.class), SemelWebFilter.DEFAULT_ORDER));
        context.refresh();
        server = HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .runOn(eventLoop)
                .handle(new ReactorHttpHandlerAdapter(
                        WebHttpHandlerBuilder.applicationContext(context).build()))
                .bindNow();
    }

    /** A server of these controllers and other beans; every path accepts a key, unless a route says otherwise. */
    static Settings of(Class<?>... beans) {
        return new Settings(beans);
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    WatchedStore store() {
        return store;
    }

    HttpRequest.Builder request(String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .timeout(Duration.ofSeconds(20));
        return headers.length == 0 ? request : request.headers(headers);
    }

    /** A POST of JSON. */
    HttpRequest.Builder posting(String path, String key, String json) {
        return request(path)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", key)
                .POST(HttpRequest.BodyPublishers.ofString(json));
    }

    HttpResponse<String> send(HttpRequest.Builder request) {
        return sendLater(request).join();
    }

    CompletableFuture<HttpResponse<String>> sendLater(HttpRequest.Builder request) {
        return client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    HttpResponse<String> post(String path, String key, String json) {
        return send(posting(path, key, json));
    }

    HttpResponse<String> get(String path, String... headers) {
        return send(request(path, headers).GET());
    }

    /** A client that has sent its request and has read nothing. */
    Socket open(String path, String key, String json) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.setReceiveBufferSize(4096);
        socket.getOutputStream()
                .write(("POST " + path + " HTTP/1.1\r\nHost: h\r\nIdempotency-Key: " + key
                                + "\r\nContent-Type: application/json\r\nContent-Length: " + json.length() + "\r\n\r\n"
                                + json)
                        .getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
        return socket;
    }

    /** Closes so that the other side notices at once. */
    static void abort(Socket socket) throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    static boolean isReplay(HttpResponse<?> response) {
        return response.headers().firstValue("Idempotency-Replayed").orElse("").equals("true");
    }

    @Override
    public void close() {
        server.disposeNow();
        context.close();
        eventLoop.disposeLater(Duration.ZERO, Duration.ofSeconds(10)).block();
        semel.close();
    }

    /** What a server is made of. */
    static final class Settings {

        private final Class<?>[] beans;
        private final Routes.Builder routes = Routes.builder();
        private UnaryOperator<RoutePolicyBuilder> elsewhere = RoutePolicyBuilder::keyOptional;
        private UnaryOperator<GateBuilder> gate = builder -> builder;

        private Settings(Class<?>... beans) {
            this.beans = beans;
        }

        Settings route(String path, Operation operation, UnaryOperator<RoutePolicyBuilder> policy) {
            routes.protect(
                    "POST",
                    path,
                    policy.apply(RoutePolicy.of(operation).keyOptional()).build());
            return this;
        }

        Settings route(String path, UnaryOperator<RoutePolicyBuilder> policy) {
            return route(path, Operation.named(path.substring(1).replace("/*", "")), policy);
        }

        /** The policy of every path that no route names. */
        Settings elsewhere(UnaryOperator<RoutePolicyBuilder> policy) {
            elsewhere = policy;
            return this;
        }

        Settings gate(UnaryOperator<GateBuilder> settings) {
            gate = settings;
            return this;
        }

        private Routes routes() {
            RoutePolicyBuilder policy = RoutePolicy.of(Operation.named("anything"));
            return routes.protect("*", "*", elsewhere.apply(policy).build()).build();
        }

        ReactiveServer start() {
            return new ReactiveServer(this);
        }
    }
}
