package dev.semel.server.gateway;

import dev.semel.server.gateway.config.LimitsConfig;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The connections of one listener from the moment at which they are accepted, before anything of them was read: there are no
 * more than allowed, and each has a deadline for its first head.
 */
final class ClientAcceptor extends ChannelInboundHandlerAdapter {

    private final LimitsConfig limits;
    private final AtomicInteger open = new AtomicInteger();

    ClientAcceptor(LimitsConfig limits) {
        this.limits = limits;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object accepted) {
        Channel client = (Channel) accepted;
        if (open.incrementAndGet() > limits.connections()) {
            open.decrementAndGet();
            client.unsafe().closeForcibly();
            return;
        }
        client.closeFuture().addListener(closed -> open.decrementAndGet());
        client.pipeline().addLast(new HeadDeadline(limits.head()));
        context.fireChannelRead(accepted);
    }
}
