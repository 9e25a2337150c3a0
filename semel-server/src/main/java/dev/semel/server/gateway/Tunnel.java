package dev.semel.server.gateway;

import dev.semel.http.Headers;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.NetSocket;

/** A connection on which client and service change to a WebSocket; its bytes pass untouched. */
final class Tunnel {

    private static final int SWITCHING_PROTOCOLS = 101;

    private final Exchange exchange;
    private final HttpServerRequest request;
    private final ClientAnswer client;
    private final ForwardedHead head;
    private final Upstream upstream;

    Tunnel(Exchange exchange, Upstream upstream) {
        this.exchange = exchange;
        this.request = exchange.request();
        this.client = exchange.client();
        this.head = exchange.head();
        this.upstream = upstream;
    }

    void open() {
        request.pause();
        upstream.pooled(head.toOptions(upstream))
                .onComplete(this::ask, unreachable -> client.send(GatewayProblems.unreachable()));
    }

    private void ask(HttpClientRequest ready) {
        ready.exceptionHandler(known -> {});
        client.whenGone(ready::reset);
        head.applyTo(ready);
        ready.putHeader("Connection", "Upgrade");
        ready.putHeader("Upgrade", "websocket");
        ready.connect()
                .onComplete(answer -> answered(ready, answer), failure -> client.send(GatewayProblems.brokenOff()));
    }

    private void answered(HttpClientRequest ready, HttpClientResponse answer) {
        if (answer.statusCode() != SWITCHING_PROTOCOLS) {
            new PassThrough(exchange, upstream).pass(ready, answer);
            return;
        }
        client.whenGone(() -> {});
        Headers headers = HopByHop.endToEnd(answer.headers());
        NetSocket service = answer.netSocket();
        service.pause();
        headers.forEach(line -> request.response().headers().add(line.name(), line.value()));
        request.response().putHeader("Connection", "Upgrade");
        request.response().putHeader("Upgrade", "websocket");
        request.toNetSocket().onComplete(socket -> join(socket, service), failure -> service.close());
    }

    private void join(NetSocket socket, NetSocket service) {
        socket.closeHandler(closed -> client.left());
        socket.pipeTo(service).onComplete(ended -> service.close());
        service.pipeTo(socket).onComplete(ended -> socket.close());
    }
}
