package dev.semel.spring.reactive;

import java.security.Principal;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.context.i18n.LocaleContext;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebSession;
import org.springframework.web.server.adapter.DefaultServerWebExchange;
import org.springframework.web.server.i18n.FixedLocaleContextResolver;
import reactor.core.publisher.Mono;

/**
 * The exchange that the handler of a protected request sees. Forms, parts and conditions are of its own request and response
 * (a decorator would read and write those of the server behind our back); everything else is shared with the exchange
 * that it stands for.
 */
final class ProtectedExchange extends DefaultServerWebExchange {

    private final ServerWebExchange outer;

    ProtectedExchange(
            ServerWebExchange outer,
            ServerHttpRequest request,
            ServerHttpResponse response,
            ServerCodecConfigurer codecs) {
        super(request, response, inner -> outer.getSession(), codecs, new FixedLocaleContextResolver());
        this.outer = outer;
    }

    @Override
    public Map<String, Object> getAttributes() {
        return outer.getAttributes();
    }

    @Override
    public Mono<WebSession> getSession() {
        return outer.getSession();
    }

    @Override
    public <T extends Principal> Mono<T> getPrincipal() {
        return outer.getPrincipal();
    }

    @Override
    public LocaleContext getLocaleContext() {
        return outer.getLocaleContext();
    }

    @Override
    public @Nullable ApplicationContext getApplicationContext() {
        return outer.getApplicationContext();
    }

    @Override
    public String transformUrl(String url) {
        return outer.transformUrl(url);
    }

    @Override
    public void addUrlTransformer(Function<String, String> transformer) {
        outer.addUrlTransformer(transformer);
    }

    @Override
    public String getLogPrefix() {
        return outer.getLogPrefix();
    }
}
