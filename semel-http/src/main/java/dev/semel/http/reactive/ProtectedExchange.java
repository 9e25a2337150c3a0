package dev.semel.http.reactive;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.http.codec.multipart.Part;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.util.MultiValueMap;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;
import org.springframework.web.server.adapter.DefaultServerWebExchange;
import org.springframework.web.server.i18n.FixedLocaleContextResolver;
import reactor.core.publisher.Mono;

/**
 * The exchange that the handler of a protected request sees. Forms, parts and conditions use its own request and response
 * (those of the outer exchange would bypass the capture); everything else is shared.
 */
final class ProtectedExchange extends ServerWebExchangeDecorator {

    private final ServerWebExchange own;

    ProtectedExchange(
            ServerWebExchange outer,
            ServerHttpRequest request,
            ServerHttpResponse response,
            ServerCodecConfigurer codecs) {
        super(outer);
        this.own = new DefaultServerWebExchange(
                request, response, exchange -> outer.getSession(), codecs, new FixedLocaleContextResolver());
    }

    @Override
    public ServerHttpRequest getRequest() {
        return own.getRequest();
    }

    @Override
    public ServerHttpResponse getResponse() {
        return own.getResponse();
    }

    @Override
    public Mono<MultiValueMap<String, String>> getFormData() {
        return own.getFormData();
    }

    @Override
    public Mono<MultiValueMap<String, Part>> getMultipartData() {
        return own.getMultipartData();
    }

    @Override
    public Mono<Void> cleanupMultipart() {
        return own.cleanupMultipart();
    }

    @Override
    public boolean isNotModified() {
        return own.isNotModified();
    }

    @Override
    public boolean checkNotModified(Instant lastModified) {
        return own.checkNotModified(lastModified);
    }

    @Override
    public boolean checkNotModified(String etag) {
        return own.checkNotModified(etag);
    }

    @Override
    public boolean checkNotModified(@Nullable String etag, Instant lastModified) {
        return own.checkNotModified(etag, lastModified);
    }
}
