package dev.semel.http.reactive;

import dev.semel.http.Body;
import java.net.URLEncoder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.util.MultiValueMap;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Reads the body of a request, once, up to a limit. */
final class ReactiveRequestBody {

    private ReactiveRequestBody() {}

    /** The body; empty when it is longer than allowed, and then no buffer is held. */
    static Mono<Optional<Body>> read(ServerWebExchange exchange, int limit) {
        if (exchange.getRequest().getHeaders().getContentLength() > limit) {
            return Mono.just(Optional.empty());
        }
        return DataBufferUtils.join(exchange.getRequest().getBody(), limit)
                .map(ReactiveRequestBody::taken)
                .switchIfEmpty(Mono.defer(() -> consumedBefore(exchange)))
                .map(body -> body.size() > limit ? Optional.<Body>empty() : Optional.of(body))
                .onErrorResume(DataBufferLimitException.class, tooLong -> Mono.just(Optional.empty()));
    }

    /** The bytes of a buffer, which is released. */
    static Body taken(DataBuffer buffer) {
        try {
            byte[] bytes = new byte[buffer.readableByteCount()];
            buffer.read(bytes);
            return Body.of(bytes);
        } finally {
            DataBufferUtils.release(buffer);
        }
    }

    /**
     * The body of a request of which nothing is left to read: it was empty, or an earlier filter has read it. A form is then
     * rebuilt from the exchange, such as after a filter that looked for a CSRF token.
     */
    private static Mono<Body> consumedBefore(ServerWebExchange exchange) {
        HttpHeaders headers = exchange.getRequest().getHeaders();
        MediaType type = headers.getContentType();
        if (type != null && MediaType.APPLICATION_FORM_URLENCODED.isCompatibleWith(type)) {
            Charset charset = type.getCharset() == null ? StandardCharsets.UTF_8 : type.getCharset();
            return exchange.getFormData()
                    .map(form -> Body.of(encoded(form, charset).getBytes(StandardCharsets.US_ASCII)));
        }
        return headers.getContentLength() > 0
                ? Mono.error(new IllegalStateException("the body of a protected request is gone, because an earlier"
                        + " filter has read it: give SemelWebFilter a lower order than that filter"))
                : Mono.just(Body.EMPTY);
    }

    private static String encoded(MultiValueMap<String, String> form, Charset charset) {
        return form.entrySet().stream()
                .flatMap(field -> pairs(field, charset).stream())
                .collect(Collectors.joining("&"));
    }

    private static List<String> pairs(Map.Entry<String, List<@Nullable String>> field, Charset charset) {
        String name = URLEncoder.encode(field.getKey(), charset);
        return field.getValue().stream()
                .map(value -> value == null ? name : name + "=" + URLEncoder.encode(value, charset))
                .toList();
    }
}
