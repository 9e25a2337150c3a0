package scoreboard;

import dev.semel.Operation;
import dev.semel.engine.SemelEngine;
import dev.semel.http.Gate;
import dev.semel.http.RoutePolicy;
import dev.semel.http.Routes;
import dev.semel.http.key.ScopeStrategy;
import dev.semel.http.servlet.SemelFilter;
import dev.semel.jaxrs.SemelFeature;
import dev.semel.memory.MemoryStore;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.EnumSet;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.servlet.ServletContainer;

/** Semel's servlet filter, or its feature for Jakarta REST, on Jetty: {@code App servlet|jaxrs PORT}. */
public class App {

    /** A servlet behind the filter. */
    private static final class PaymentServlet extends HttpServlet {

        private static final long serialVersionUID = 1L;

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            if (!isPayment(new String(request.getInputStream().readAllBytes()))) {
                response.setStatus(400);
                return;
            }
            String id = Payments.pay().get("id");
            response.setStatus(201);
            response.setHeader("Location", "/payments/" + id);
            response.setContentType("application/json");
            response.getWriter().print("{\"id\":\"" + id + "\"}");
        }
    }

    /** The number of payments. */
    private static final class EffectsServlet extends HttpServlet {

        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().print(Payments.COUNT.get());
        }
    }

    /** A resource behind the feature. */
    @Path("/")
    public static class PaymentResource {

        @POST
        @Path("payments")
        public Response create(String body) {
            if (!isPayment(body)) {
                return Response.status(400).build();
            }
            String id = Payments.pay().get("id");
            return Response.created(URI.create("/payments/" + id)).type("application/json").entity("{\"id\":\"" + id + "\"}").build();
        }

        @GET
        @Path("effects")
        public String effects() {
            return String.valueOf(Payments.COUNT.get());
        }
    }

    private static boolean isPayment(String body) {
        return body.startsWith("{") && body.endsWith("}");
    }

    public static void main(String[] args) throws Exception {
        SemelEngine semel = SemelEngine.on(new MemoryStore()).build();
        Routes routes = Routes.builder()
                .protect("POST", "/payments", RoutePolicy.of(Operation.named("pay")).build())
                .build();
        Gate gate = Gate.on(semel, routes, ScopeStrategy.fromHeader("X-Account")).build();
        ServletContextHandler context = new ServletContextHandler("/");
        if (args[0].equals("jaxrs")) {
            ResourceConfig resources = new ResourceConfig().register(new PaymentResource()).register(new SemelFeature(gate));
            context.addServlet(new ServletHolder(new ServletContainer(resources)), "/*");
        } else {
            FilterHolder filter = new FilterHolder(new SemelFilter(gate));
            filter.setAsyncSupported(true);
            context.addFilter(filter, "/*", EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC));
            context.addServlet(new ServletHolder(new PaymentServlet()), "/payments");
            context.addServlet(new ServletHolder(new EffectsServlet()), "/effects");
        }
        Server server = new Server(new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[1])));
        server.setHandler(context);
        server.start();
    }
}
