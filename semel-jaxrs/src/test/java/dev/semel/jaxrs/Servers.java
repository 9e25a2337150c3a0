package dev.semel.jaxrs;

import com.sun.net.httpserver.HttpServer;
import jakarta.ws.rs.core.Application;
import jakarta.ws.rs.ext.RuntimeDelegate;
import java.net.InetAddress;
import java.net.URI;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.glassfish.jersey.jdkhttp.JdkHttpServerFactory;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.internal.RuntimeDelegateImpl;
import org.glassfish.jersey.servlet.ServletContainer;
import org.jboss.resteasy.core.ResteasyDeploymentImpl;
import org.jboss.resteasy.plugins.server.servlet.HttpServlet30Dispatcher;
import org.jboss.resteasy.spi.ResteasyDeployment;

/** The implementations that the contract is run on. Both are on the class path, so that each sets its own delegate. */
final class Servers {

    private Servers() {}

    static TestServer.Started jerseyOnJetty(Application application) throws Exception {
        RuntimeDelegate.setInstance(new RuntimeDelegateImpl());
        return jetty(new ServletHolder(new ServletContainer(ResourceConfig.forApplication(application))), null);
    }

    static TestServer.Started jerseyOnTheJdk(Application application) {
        RuntimeDelegate.setInstance(new RuntimeDelegateImpl());
        HttpServer server = JdkHttpServerFactory.createHttpServer(
                URI.create("http://127.0.0.1:0/"), ResourceConfig.forApplication(application), false);
        ExecutorService threads = Executors.newCachedThreadPool();
        server.setExecutor(threads);
        server.start();
        return new TestServer.Started(server.getAddress().getPort(), () -> {
            server.stop(0);
            threads.shutdownNow();
        });
    }

    static TestServer.Started resteasyOnJetty(Application application) throws Exception {
        ResteasyDeployment deployment = new ResteasyDeploymentImpl();
        deployment.setApplication(application);
        return jetty(new ServletHolder(new HttpServlet30Dispatcher()), deployment);
    }

    private static TestServer.Started jetty(ServletHolder servlet, ResteasyDeployment deployment) throws Exception {
        Server server = new Server();
        ServerConnector connector = new ServerConnector(server);
        connector.setHost(InetAddress.getLoopbackAddress().getHostAddress());
        connector
                .getConnectionFactory(HttpConnectionFactory.class)
                .getHttpConfiguration()
                .setSendServerVersion(false);
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler("/");
        if (deployment != null) {
            context.setAttribute(ResteasyDeployment.class.getName(), deployment);
        }
        servlet.setAsyncSupported(true);
        context.addServlet(servlet, "/*");
        server.setHandler(context);
        server.start();
        // RESTEasy starts with the first request unless the servlet is initialized before.
        servlet.getServlet();
        return new TestServer.Started(connector.getLocalPort(), server::stop);
    }
}
