package dev.semel.spring;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** A Spring Boot application on a free port of this machine, as its clients see it. */
public final class RunningApplication implements AutoCloseable {

    private static final List<Class<?>> DATABASE = List.of(Boot.DATA_SOURCE);

    private final ConfigurableApplicationContext context;
    private final HttpClient client = HttpClient.newHttpClient();

    private RunningApplication(ConfigurableApplicationContext context) {
        this.context = context;
    }

    /** Without a database and without Spring Security. */
    public static RunningApplication plain(Class<?> application, String... properties) {
        return start(application, Boot.TOMCAT, List.of(Boot.SERVLET_SECURITY, DATABASE), properties);
    }

    /** The same on Jetty. */
    static RunningApplication onJetty(Class<?> application, String... properties) {
        return start(application, Boot.JETTY, List.of(Boot.SERVLET_SECURITY, DATABASE), properties);
    }

    static RunningApplication withDatabase(Class<?> application, String... properties) {
        return start(application, Boot.TOMCAT, List.of(Boot.SERVLET_SECURITY), properties);
    }

    static RunningApplication withSecurity(Class<?> application, String... properties) {
        return start(application, Boot.TOMCAT, List.of(DATABASE), properties);
    }

    private static RunningApplication start(
            Class<?> application, Boot.Container container, List<List<Class<?>>> excluded, String... properties) {
        List<String> arguments = new ArrayList<>(List.of(
                "--spring.autoconfigure.exclude="
                        + Stream.concat(excluded.stream(), Stream.of(container.excluded()))
                                .flatMap(List::stream)
                                .map(Class::getName)
                                .collect(Collectors.joining(",")),
                "--server.port=0",
                "--server.address=127.0.0.1",
                "--spring.main.banner-mode=off",
                "--spring.main.log-startup-info=false",
                "--logging.level.root=warn",
                "--logging.level.org.springdoc.core.events=error"));
        Arrays.stream(properties).map(property -> "--" + property).forEach(arguments::add);
        return new RunningApplication(new SpringApplicationBuilder(application)
                .sources(container.added().toArray(Class<?>[]::new))
                .web(WebApplicationType.SERVLET)
                .run(arguments.toArray(String[]::new)));
    }

    public <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    <T> T bean(String name, Class<T> type) {
        return context.getBean(name, type);
    }

    public URI uri(String path) {
        return URI.create("http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port") + path);
    }

    public HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    HttpResponse<String> post(String path, String key, String json, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(path))
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", key)
                .POST(HttpRequest.BodyPublishers.ofString(json));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return send(request);
    }

    static boolean isReplay(HttpResponse<?> response) {
        return response.headers().firstValue("Idempotency-Replayed").orElse("").equals("true");
    }

    @Override
    public void close() {
        context.close();
    }
}
