package dev.semel.http.reactive;

import dev.semel.http.Body;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpCookie;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.http.server.reactive.SslInfo;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import reactor.core.publisher.Flux;

/**
 * A request whose body has been read and can be read any number of times. It is a copy: when the client has disconnected and
 * the handler goes on, the server may reuse its own request for another one.
 */
final class ReactiveBufferedRequest extends ServerHttpRequestDecorator {

    private final Body body;
    private final HttpHeaders headers;
    private final MultiValueMap<String, HttpCookie> cookies;
    private final @Nullable InetSocketAddress local;
    private final @Nullable InetSocketAddress remote;
    private final @Nullable SslInfo ssl;

    ReactiveBufferedRequest(ServerHttpRequest request, Body body) {
        super(request);
        this.body = body;
        HttpHeaders copy = new HttpHeaders();
        request.getHeaders().forEach(copy::addAll);
        this.headers = HttpHeaders.readOnlyHttpHeaders(copy);
        this.cookies = new LinkedMultiValueMap<>(request.getCookies());
        this.local = request.getLocalAddress();
        this.remote = request.getRemoteAddress();
        this.ssl = request.getSslInfo();
    }

    @Override
    public Flux<DataBuffer> getBody() {
        return body.size() == 0
                ? Flux.empty()
                : Flux.defer(() -> Flux.just(DefaultDataBufferFactory.sharedInstance.wrap(body.bytes())));
    }

    @Override
    public HttpHeaders getHeaders() {
        return headers;
    }

    @Override
    public MultiValueMap<String, HttpCookie> getCookies() {
        return cookies;
    }

    @Override
    public @Nullable InetSocketAddress getLocalAddress() {
        return local;
    }

    @Override
    public @Nullable InetSocketAddress getRemoteAddress() {
        return remote;
    }

    @Override
    public @Nullable SslInfo getSslInfo() {
        return ssl;
    }
}
