package dev.semel.server.gateway;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.util.concurrent.Future;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.impl.HttpServerConnection;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The moment by which a client that has connected must have sent the head of its first request, with the handshake of TLS before
 * it. A client that sends it byte by byte is not given longer.
 */
final class HeadDeadline extends ChannelInboundHandlerAdapter {

    private final Duration length;
    private @Nullable Future<?> closing;

    HeadDeadline(Duration length) {
        this.length = length;
    }

    /** The head is there: from now on other limits count. */
    static void reached(HttpConnection connection) {
        if (connection instanceof HttpServerConnection server) {
            ChannelPipeline pipeline = server.channelHandlerContext().pipeline();
            if (pipeline.get(HeadDeadline.class) != null) {
                pipeline.remove(HeadDeadline.class);
            }
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        Channel.Unsafe channel = context.channel().unsafe();
        // Beneath the other handlers: an orderly end of TLS would wait for the client once more.
        closing = context.executor()
                .schedule(() -> channel.close(channel.voidPromise()), length.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        if (closing != null) {
            closing.cancel(false);
        }
    }
}
