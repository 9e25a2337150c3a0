package dev.semel.spring.reactive;

import dev.semel.memory.MemoryStore;
import dev.semel.spring.Boot;
import dev.semel.testsupport.stores.FaultyStore;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A reactive Spring Boot application on a free port of this machine, as its clients see it. */
final class ReactiveApplication implements AutoCloseable {

    @Configuration(proxyBeanMethods = false)
    static class StoreThatCanFail {

        @Bean
        FaultyStore store() {
            return new FaultyStore(new MemoryStore());
        }
    }

    private final ConfigurableApplicationContext context;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private ReactiveApplication(ConfigurableApplicationContext context) {
        this.context = context;
    }

    static ReactiveApplication plain(Class<?> application, String... properties) {
        return start(application, Boot.REACTIVE_SECURITY, properties);
    }

    static ReactiveApplication withSecurity(Class<?> application, String... properties) {
        return start(application, List.of(), properties);
    }

    private static ReactiveApplication start(Class<?> application, List<Class<?>> excluded, String... properties) {
        List<String> arguments = new ArrayList<>(List.of(
                "--spring.autoconfigure.exclude="
                        + Stream.of(List.of(Boot.DATA_SOURCE), Boot.NETTY.excluded(), excluded)
                                .flatMap(List::stream)
                                .map(Class::getName)
                                .collect(Collectors.joining(",")),
                "--server.port=0",
                "--server.address=127.0.0.1",
                "--spring.main.banner-mode=off",
                "--spring.main.log-startup-info=false",
                "--logging.level.root=warn"));
        Arrays.stream(properties).map(property -> "--" + property).forEach(arguments::add);
        return new ReactiveApplication(new SpringApplicationBuilder(application, StoreThatCanFail.class)
                .sources(Boot.NETTY.added().toArray(Class<?>[]::new))
                .web(WebApplicationType.REACTIVE)
                .run(arguments.toArray(String[]::new)));
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    <T> T bean(String name, Class<T> type) {
        return context.getBean(name, type);
    }

    FaultyStore store() {
        return bean(FaultyStore.class);
    }

    HttpRequest.Builder request(String path, String... headers) {
        String port = context.getEnvironment().getRequiredProperty("local.server.port");
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(20));
        return headers.length == 0 ? request : request.headers(headers);
    }

    HttpResponse<String> send(HttpRequest.Builder request) {
        return sendLater(request).join();
    }

    CompletableFuture<HttpResponse<String>> sendLater(HttpRequest.Builder request) {
        return client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    HttpResponse<String> post(String path, String key, String json, String... headers) {
        return send(request(path, headers)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", key)
                .POST(HttpRequest.BodyPublishers.ofString(json)));
    }

    static boolean isReplay(HttpResponse<?> response) {
        return response.headers().firstValue("Idempotency-Replayed").orElse("").equals("true");
    }

    @Override
    public void close() {
        context.close();
    }
}
