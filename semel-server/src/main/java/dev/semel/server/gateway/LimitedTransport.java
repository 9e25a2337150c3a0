package dev.semel.server.gateway;

import dev.semel.server.gateway.config.LimitsConfig;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.InternetProtocolFamily;
import io.vertx.core.net.TcpConfig;
import io.vertx.core.transport.Transport;
import org.jspecify.annotations.Nullable;

/**
 * The transport of the JDK's sockets, whose listeners limit the connections that they accept. Vert.x shows a connection only
 * when the head of its first request is there, which may be never.
 */
final class LimitedTransport implements Transport, io.vertx.core.spi.transport.Transport {

    private final io.vertx.core.spi.transport.Transport sockets = Transport.NIO.implementation();
    private final LimitsConfig limits;

    LimitedTransport(LimitsConfig limits) {
        this.limits = limits;
    }

    @Override
    public String name() {
        return Transport.NIO.name();
    }

    @Override
    public boolean available() {
        return Transport.NIO.available();
    }

    @Override
    public @Nullable Throwable unavailabilityCause() {
        return Transport.NIO.unavailabilityCause();
    }

    @Override
    public io.vertx.core.spi.transport.Transport implementation() {
        return this;
    }

    @Override
    public void configure(TcpConfig options, boolean domainSocket, ServerBootstrap listener) {
        sockets.configure(options, domainSocket, listener);
        listener.handler(new ClientAcceptor(limits));
    }

    @Override
    public void configure(TcpConfig options, boolean domainSocket, Bootstrap client) {
        sockets.configure(options, domainSocket, client);
    }

    @Override
    public IoHandlerFactory ioHandlerFactory() {
        return sockets.ioHandlerFactory();
    }

    @Override
    @SuppressWarnings("deprecation")
    public DatagramChannel datagramChannel(InternetProtocolFamily family) {
        return sockets.datagramChannel(family);
    }

    @Override
    public ChannelFactory<? extends DatagramChannel> datagramChannelFactory() {
        return sockets.datagramChannelFactory();
    }

    @Override
    public ChannelFactory<? extends Channel> channelFactory(boolean domainSocket) {
        return sockets.channelFactory(domainSocket);
    }

    @Override
    public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
        return sockets.serverChannelFactory(domainSocket);
    }
}
