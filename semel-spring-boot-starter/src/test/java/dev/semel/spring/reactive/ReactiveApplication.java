package dev.semel.spring.reactive;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.ReactorResourceFactory;
import reactor.netty.resources.LoopResources;

/** A reactive application on a free port of this machine, on Netty with a single event loop, as its clients see it. */
final class ReactiveApplication implements AutoCloseable {

    private static final String ALWAYS_OUT = "--spring.autoconfigure.exclude="
            + "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration,"
            + "org.springframework.boot.jetty.autoconfigure.reactive.JettyReactiveWebServerAutoConfiguration,"
            + "org.springframework.boot.tomcat.autoconfigure.reactive.TomcatReactiveWebServerAutoConfiguration";
    private static final String SECURITY = ",org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration"
            + ",org.springframework.boot.security.autoconfigure.ReactiveUserDetailsServiceAutoConfiguration"
            + ",org.springframework.boot.security.autoconfigure.web.reactive.ReactiveWebSecurityAutoConfiguration"
            + ",org.springframework.boot.security.autoconfigure.actuate.web.reactive"
            + ".ReactiveManagementWebSecurityAutoConfiguration";

    /** Whoever blocks this one thread is noticed by everybody. */
    @Configuration(proxyBeanMethods = false)
    static class OneEventLoop {

        @Bean
        ReactorResourceFactory oneEventLoop() {
            ReactorResourceFactory resources = new ReactorResourceFactory();
            resources.setUseGlobalResources(false);
            resources.setLoopResourcesSupplier(() -> LoopResources.create("only", 1, true));
            return resources;
        }

        @Bean
        WatchedStore watchedStore() {
            return new WatchedStore();
        }
    }

    private final ConfigurableApplicationContext context;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private ReactiveApplication(ConfigurableApplicationContext context) {
        this.context = context;
    }

    static ReactiveApplication plain(Class<?> application, String... properties) {
        return start(application, ALWAYS_OUT + SECURITY, properties);
    }

    static ReactiveApplication withSecurity(Class<?> application, String... properties) {
        return start(application, ALWAYS_OUT, properties);
    }

    private static ReactiveApplication start(Class<?> application, String excluded, String... properties) {
        List<String> arguments = new ArrayList<>(List.of(
                excluded,
                "--server.port=0",
                "--server.address=127.0.0.1",
                "--spring.main.banner-mode=off",
                "--spring.main.log-startup-info=false",
                "--logging.level.root=warn"));
        Arrays.stream(properties).map(property -> "--" + property).forEach(arguments::add);
        return new ReactiveApplication(new SpringApplicationBuilder(application, OneEventLoop.class)
                .web(WebApplicationType.REACTIVE)
                .run(arguments.toArray(String[]::new)));
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    <T> T bean(String name, Class<T> type) {
        return context.getBean(name, type);
    }

    WatchedStore store() {
        return bean(WatchedStore.class);
    }

    int port() {
        return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    HttpRequest.Builder request(String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
                .timeout(Duration.ofSeconds(20));
        return headers.length == 0 ? request : request.headers(headers);
    }

    /** A POST of JSON. */
    HttpRequest.Builder posting(String path, String key, String json, String... headers) {
        return request(path, headers)
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

    HttpResponse<String> post(String path, String key, String json, String... headers) {
        return send(posting(path, key, json, headers));
    }

    HttpResponse<String> get(String path, String... headers) {
        return send(request(path, headers).GET());
    }

    /** A client that has sent its request and has read nothing. */
    Socket open(String path, String key, String json) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port());
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
        context.close();
    }
}
