package dev.semel.server.gateway;

import dev.semel.server.gateway.config.LimitsConfig;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.http.Http1ServerConfig;
import io.vertx.core.http.impl.http1.VertxHttpRequestDecoder;
import io.vertx.core.http.impl.tcp.Http1xOrH2CHandler;

/**
 * Puts the strict decoder of HTTP/1.1 in the place of Vert.x's, for which Vert.x has no setting.
 *
 * <ol>
 *   <li>This handler is the first of a connection. When the first bytes arrive, it puts another one where Vert.x is going to add
 *       its decoder: behind TLS, or behind the handler that tells HTTP/2 in clear text from HTTP/1.1.
 *   <li>That one gets the first bytes which the decoder would get, and replaces it before. In HTTP/2 there is none.
 * </ol>
 */
final class StrictParsing extends ChannelInboundHandlerAdapter {

    private final Http1ServerConfig config;

    StrictParsing(LimitsConfig limits) {
        this.config = new Http1ServerConfig()
                .setMaxHeaderSize(limits.headers())
                .setMaxInitialLineLength(limits.requestLine());
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object bytes) {
        ChannelPipeline pipeline = context.pipeline();
        ChannelHandlerContext beforeDecoder = pipeline.context(SslHandler.class);
        if (beforeDecoder == null) {
            beforeDecoder = pipeline.context(Http1xOrH2CHandler.class);
        }
        if (beforeDecoder == null) {
            // Vert.x has changed: no request is read leniently for that.
            ReferenceCountUtil.release(bytes);
            context.channel().unsafe().closeForcibly();
            return;
        }
        pipeline.addAfter(beforeDecoder.name(), null, new Replacing(config));
        pipeline.remove(this);
        context.fireChannelRead(bytes);
    }

    /** Replaces the decoder behind it. */
    private static final class Replacing extends ChannelInboundHandlerAdapter {

        private final Http1ServerConfig config;

        Replacing(Http1ServerConfig config) {
            this.config = config;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object bytes) {
            ChannelPipeline pipeline = context.pipeline();
            ChannelHandler lenient = pipeline.get(VertxHttpRequestDecoder.class);
            if (lenient != null) {
                // Under its name, by which Vert.x removes it when the connection becomes one of another protocol.
                String name = pipeline.context(lenient).name();
                pipeline.replace(lenient, name, new StrictRequestDecoder(config));
            }
            pipeline.remove(this);
            context.fireChannelRead(bytes);
        }
    }
}
