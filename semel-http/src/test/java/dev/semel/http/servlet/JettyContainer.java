package dev.semel.http.servlet;

import jakarta.servlet.ServletContainerInitializer;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** Jetty 12. */
final class JettyContainer implements Container {

    private final Server server = new Server();
    private final ServerConnector connector = new ServerConnector(server);

    JettyContainer(String contextPath, ServletContainerInitializer application) {
        connector.setHost("127.0.0.1");
        connector
                .getConnectionFactory(HttpConnectionFactory.class)
                .getHttpConfiguration()
                .setSendServerVersion(false);
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler(contextPath);
        context.addServletContainerInitializer(application);
        server.setHandler(context);
        try {
            server.start();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public int port() {
        return connector.getLocalPort();
    }

    @Override
    public void close() {
        try {
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
