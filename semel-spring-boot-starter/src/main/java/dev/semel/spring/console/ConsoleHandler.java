package dev.semel.spring.console;

import dev.semel.admin.AdminApi;
import dev.semel.admin.access.AdminRequest;
import dev.semel.admin.access.AdminResponse;
import dev.semel.admin.access.Caller;
import dev.semel.http.Body;
import dev.semel.http.Headers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.RequestPath;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Hands requests of a reactive application over to an {@link AdminApi}, on threads that may wait. */
final class ConsoleHandler implements HandlerFunction<ServerResponse> {

    /** Where the console is, below the base path of the application. */
    static final String MOUNT = "/semel";

    private static final Duration EVENT_EVERY = Duration.ofSeconds(1);

    private final AdminApi api;
    private final ReactiveConsoleCallers callers;

    ConsoleHandler(AdminApi api, ReactiveConsoleCallers callers) {
        this.api = api;
        this.callers = callers;
    }

    @Override
    public Mono<ServerResponse> handle(ServerRequest request) {
        Mono<Optional<Caller>> caller =
                callers.callerOf(request).map(Optional::of).defaultIfEmpty(Optional.empty());
        return Mono.zip(bodyOf(request), caller)
                .flatMap(both -> Mono.fromCallable(() -> api.handle(
                                requestOf(request, both.getT1(), both.getT2().orElse(null))))
                        .subscribeOn(Schedulers.boundedElastic()))
                .flatMap(answer -> respond(request, answer));
    }

    /** One byte more than allowed is kept, so that the API sees that it is too much. */
    private static Mono<byte[]> bodyOf(ServerRequest request) {
        return DataBufferUtils.join(DataBufferUtils.takeUntilByteCount(
                        request.bodyToFlux(DataBuffer.class), AdminRequest.MAX_BODY + 1L))
                .map(ConsoleHandler::bytesOf)
                .defaultIfEmpty(new byte[0]);
    }

    private static byte[] bytesOf(DataBuffer buffer) {
        byte[] bytes = new byte[buffer.readableByteCount()];
        buffer.read(bytes);
        DataBufferUtils.release(buffer);
        return bytes;
    }

    private static AdminRequest requestOf(ServerRequest request, byte[] body, @Nullable Caller caller) {
        String path = request.requestPath().pathWithinApplication().value();
        List<Headers.Line> lines = new ArrayList<>();
        request.headers()
                .asHttpHeaders()
                .forEach((name, values) -> values.forEach(value -> lines.add(new Headers.Line(name, value))));
        return new AdminRequest(
                request.method().name(),
                path.substring(Math.min(path.length(), MOUNT.length())),
                "",
                new Headers(lines),
                Body.of(body),
                remoteOf(request),
                "https".equals(request.uri().getScheme()),
                caller);
    }

    static String remoteOf(ServerRequest request) {
        return request.remoteAddress()
                .flatMap(remote -> Optional.ofNullable(remote.getAddress()))
                .map(address -> address.getHostAddress())
                .orElse("");
    }

    private static Mono<ServerResponse> respond(ServerRequest request, AdminResponse answer) {
        RequestPath path = request.requestPath();
        ServerResponse.BodyBuilder response = ServerResponse.status(answer.status());
        for (Headers.Line line : answer.headers()) {
            boolean redirect = line.name().equals("Location");
            response.header(line.name(), redirect ? path.contextPath().value() + line.value() : line.value());
        }
        byte[] body = answer.body().bytes();
        if (request.method().equals(HttpMethod.HEAD)) {
            return response.build();
        }
        Supplier<String> events = answer.events();
        return events == null
                ? response.contentLength(body.length)
                        .body((message, context) -> message.writeWith(
                                Mono.just(message.bufferFactory().wrap(body))))
                : response.body((message, context) -> message.writeAndFlushWith(stream(body, events)
                        .map(event -> Mono.just(message.bufferFactory().wrap(event)))));
    }

    /** The next event is asked for when the one before it was taken. Ends when the caller may not see any more. */
    private static Flux<byte[]> stream(byte[] first, Supplier<String> events) {
        Flux<byte[]> later = Mono.delay(EVENT_EVERY, Schedulers.boundedElastic())
                .map(tick -> events.get().getBytes(StandardCharsets.UTF_8))
                .repeat()
                .onErrorComplete();
        return Flux.concat(Mono.just(first), later);
    }
}
