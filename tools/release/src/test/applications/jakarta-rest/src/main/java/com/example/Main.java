package com.example;

import com.example.client.Twice;
import dev.semel.Operation;
import dev.semel.engine.SemelEngine;
import dev.semel.http.Gate;
import dev.semel.http.RoutePolicy;
import dev.semel.http.Routes;
import dev.semel.http.key.ScopeStrategy;
import dev.semel.jaxrs.SemelFeature;
import dev.semel.memory.MemoryStore;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Response;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.servlet.ServletContainer;

/** Orders on Jersey. */
public class Main {

    /** The resource. */
    @Path("/orders")
    public static class Orders {

        private final AtomicInteger orders = new AtomicInteger();

        @POST
        public Response order(String body) {
            return Response.status(201).entity("order " + orders.incrementAndGet()).build();
        }
    }

    public static void main(String[] args) throws Exception {
        SemelEngine semel = SemelEngine.on(new MemoryStore()).build();
        Routes routes = Routes.builder()
                .protect("POST", "/orders", RoutePolicy.of(Operation.named("order")).build())
                .build();
        Gate gate = Gate.on(semel, routes, ScopeStrategy.fromHeader("X-Account")).build();
        ResourceConfig resources = new ResourceConfig().register(new Orders()).register(new SemelFeature(gate));
        ServletContextHandler context = new ServletContextHandler("/");
        context.addServlet(new ServletHolder(new ServletContainer(resources)), "/*");
        Server server = new Server(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        server.setHandler(context);
        server.start();
        Twice.post(((ServerConnector) server.getConnectors()[0]).getLocalPort(), "/orders");
        server.stop();
        semel.close();
    }
}
