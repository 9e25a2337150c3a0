package dev.semel.server.gateway;

import io.netty.channel.Channel;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.impl.HttpServerConnection;

/** The end of a connection whose client does not take what is sent to it: a regular end would wait for that. */
final class ForcedClose {

    private ForcedClose() {}

    static void of(HttpConnection connection) {
        if (connection instanceof HttpServerConnection server) {
            // Beneath the handlers of the connection, which would wait.
            Channel.Unsafe channel = server.channelHandlerContext().channel().unsafe();
            channel.close(channel.voidPromise());
        } else {
            connection.close();
        }
    }
}
