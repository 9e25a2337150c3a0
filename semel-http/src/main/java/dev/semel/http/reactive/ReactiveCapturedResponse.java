package dev.semel.http.reactive;

import dev.semel.http.Body;
import dev.semel.http.Headers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.AbstractServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The response that the handler of a protected request sees. It behaves like that of a server (the first write commits it,
 * after the {@code beforeCommit} actions), but status, headers and cookies stay here, and the body goes to the execution. Only
 * {@link #sendTo} and {@link #streamTo} use the server's response.
 */
final class ReactiveCapturedResponse extends AbstractServerHttpResponse {

    /** The headers that earlier filters had set when the handler began; it sees them, and they are not recorded. */
    private final Map<String, List<String>> outer;

    private final Function<Body, Mono<Void>> body;
    private volatile boolean flushed;

    /**
     * @param outer the headers that earlier filters have set
     * @param body takes the next bytes; completes when it is ready for more
     */
    ReactiveCapturedResponse(Map<String, List<String>> outer, Function<Body, Mono<Void>> body) {
        super(DefaultDataBufferFactory.sharedInstance, headersOf(outer));
        this.outer = outer;
        this.body = body;
    }

    private static HttpHeaders headersOf(Map<String, List<String>> copied) {
        HttpHeaders headers = new HttpHeaders();
        copied.forEach((name, values) -> headers.put(name, new ArrayList<>(values)));
        return headers;
    }

    int status() {
        HttpStatusCode code = getStatusCode();
        return code == null ? 200 : code.value();
    }

    /** The handler's own headers. */
    Headers ownHeaders() {
        List<Headers.Line> lines = new ArrayList<>();
        getHeaders().forEach((name, values) -> {
            List<String> before = outer.getOrDefault(name, List.of());
            boolean added = values.size() >= before.size()
                    && values.subList(0, before.size()).equals(before);
            List<String> own = added ? values.subList(before.size(), values.size()) : values;
            own.forEach(value -> lines.add(new Headers.Line(name, value)));
        });
        return new Headers(lines);
    }

    /** Sends everything. */
    Mono<Void> sendTo(ServerHttpResponse real, Headers promised, Body whole) {
        return Mono.defer(() -> {
            applyHeadTo(real, promised);
            return ReactiveAnswerWriter.writeBody(status(), whole, real);
        });
    }

    /** Sends a response that is too long to be held, with the length that the handler declared, if any. */
    Mono<Void> streamTo(ServerHttpResponse real, Headers promised, Flux<Body> chunks) {
        return Mono.defer(() -> {
            applyHeadTo(real, promised);
            Flux<DataBuffer> buffers = chunks.map(chunk -> real.bufferFactory().wrap(chunk.bytes()));
            return flushed ? real.writeAndFlushWith(buffers.map(Mono::just)) : real.writeWith(buffers);
        });
    }

    private void applyHeadTo(ServerHttpResponse real, Headers promised) {
        real.setStatusCode(HttpStatusCode.valueOf(status()));
        HttpHeaders mine = getHeaders();
        Set<String> removed = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        removed.addAll(outer.keySet());
        mine.forEach((name, values) -> removed.remove(name));
        ReactiveAnswerWriter.remove(real.getHeaders(), removed::contains);
        mine.forEach((name, values) -> {
            if (!values.equals(outer.get(name))) {
                real.getHeaders().put(name, new ArrayList<>(values));
            }
        });
        promised.forEach(line -> real.getHeaders().set(line.name(), line.value()));
        getCookies().values().forEach(cookies -> cookies.forEach(real::addCookie));
    }

    @Override
    protected Mono<Void> writeWithInternal(Publisher<? extends DataBuffer> buffers) {
        return Flux.<DataBuffer>from(buffers)
                .concatMap(buffer -> body.apply(ReactiveRequestBody.taken(buffer)), 0)
                .doOnDiscard(DataBuffer.class, DataBufferUtils::release)
                .then();
    }

    @Override
    protected Mono<Void> writeAndFlushWithInternal(Publisher<? extends Publisher<? extends DataBuffer>> parts) {
        flushed = true;
        return Flux.from(parts).concatMap(this::writeWithInternal, 0).then();
    }

    /** Refuses access to the server's response, through which bytes could be sent before they are recorded. */
    @Override
    @SuppressWarnings("TypeParameterUnusedInFormals")
    public <T> T getNativeResponse() {
        throw new IllegalStateException(
                "a protected request has no native response, because its response is held until it"
                        + " is recorded; use ServerHttpResponse, or leave the route unprotected");
    }

    @Override
    protected void applyStatusCode() {}

    @Override
    protected void applyHeaders() {}

    @Override
    protected void applyCookies() {}
}
