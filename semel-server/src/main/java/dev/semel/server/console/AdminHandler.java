package dev.semel.server.console;

import dev.semel.admin.AdminApi;
import dev.semel.admin.access.AdminRequest;
import dev.semel.admin.access.AdminResponse;
import dev.semel.http.Body;
import dev.semel.http.Headers;
import io.vertx.core.Context;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Hands requests below {@code /semel} over to an {@link AdminApi}, on workers, since that blocks. */
public final class AdminHandler implements Handler<HttpServerRequest> {

    /** Where the API and the console are. */
    public static final String MOUNT = "/semel";

    private static final long EVENT_MILLIS = 1000;

    private final AdminApi api;

    public AdminHandler(AdminApi api) {
        this.api = api;
    }

    /** Whether a request is for the API or the console. */
    public static boolean isMine(HttpServerRequest request) {
        String path = request.path();
        return path != null && (path.equals(MOUNT) || path.startsWith(MOUNT + "/"));
    }

    @Override
    public void handle(HttpServerRequest request) {
        Buffer body = Buffer.buffer();
        request.handler(bytes -> {
            // One byte more than allowed is kept, so that the API sees that it is too much.
            if (body.length() <= AdminRequest.MAX_BODY) {
                body.appendBuffer(bytes);
            }
        });
        Context context = Vertx.currentContext();
        request.endHandler(end -> context.executeBlocking(() -> api.handle(requestOf(request, body)), false)
                .onComplete(
                        response -> send(context, request, response),
                        failure -> request.response().setStatusCode(500).end()));
    }

    private static AdminRequest requestOf(HttpServerRequest request, Buffer body) {
        List<Headers.Line> lines = new ArrayList<>();
        for (Map.Entry<String, String> header : request.headers()) {
            lines.add(new Headers.Line(header.getKey(), header.getValue()));
        }
        if (request.getHeader("Host") == null && request.authority() != null) {
            lines.add(new Headers.Line("Host", request.authority().toString()));
        }
        return new AdminRequest(
                request.method().name(),
                request.path().substring(MOUNT.length()),
                request.query() == null ? "" : request.query(),
                new Headers(lines),
                Body.of(body.getBytes()),
                request.remoteAddress() == null ? "" : request.remoteAddress().hostAddress(),
                request.isSSL(),
                null);
    }

    private void send(Context context, HttpServerRequest request, AdminResponse answer) {
        HttpServerResponse response = request.response();
        if (response.ended() || response.closed()) {
            return;
        }
        response.setStatusCode(answer.status());
        answer.headers().forEach(line -> response.headers().add(line.name(), line.value()));
        boolean head = request.method().name().equals("HEAD");
        Supplier<String> events = answer.events();
        if (events == null || head) {
            response.end(head ? Buffer.buffer() : Buffer.buffer(answer.body().bytes()));
            return;
        }
        response.setChunked(true);
        response.write(Buffer.buffer(answer.body().bytes()));
        stream(context, response, events);
    }

    /** The next event is asked for when the one before it was sent, so that a slow client makes no queue. */
    private static void stream(Context context, HttpServerResponse response, Supplier<String> events) {
        context.owner().setTimer(EVENT_MILLIS, timer -> {
            if (response.ended() || response.closed()) {
                return;
            }
            context.<String>executeBlocking(events::get, false)
                    .compose(response::write)
                    .onComplete(sent -> stream(context, response, events), failure -> response.reset());
        });
    }
}
