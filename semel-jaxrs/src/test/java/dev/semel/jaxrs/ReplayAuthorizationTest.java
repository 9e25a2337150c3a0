package dev.semel.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Attempt;
import dev.semel.Intent.ReplayCheck;
import dev.semel.http.RequestView;
import dev.semel.http.contract.Call;
import dev.semel.http.contract.ContractServer;
import dev.semel.http.contract.ReplayAuthorizationContract;
import dev.semel.testsupport.http.Wire;
import jakarta.annotation.Priority;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.DynamicFeature;
import jakarta.ws.rs.core.Application;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.security.Principal;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.glassfish.jersey.server.filter.RolesAllowedDynamicFeature;
import org.jboss.resteasy.plugins.interceptors.RoleBasedSecurityFeature;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("Jakarta REST, before a replay,")
class ReplayAuthorizationTest {

    @Nested
    @DisplayName("with Jersey on Jetty")
    class WithJersey extends Implementation {
        @Override
        TestServer.Starter starter() {
            return Servers::jerseyOnJetty;
        }

        @Override
        DynamicFeature roleFilters() {
            return new RolesAllowedDynamicFeature();
        }
    }

    @Nested
    @DisplayName("with Jersey on the JDK's server")
    class WithJerseyOnTheJdk extends Implementation {
        @Override
        TestServer.Starter starter() {
            return Servers::jerseyOnTheJdk;
        }

        @Override
        DynamicFeature roleFilters() {
            return new RolesAllowedDynamicFeature();
        }
    }

    @Nested
    @DisplayName("with RESTEasy on Jetty")
    class WithResteasy extends Implementation {
        @Override
        TestServer.Starter starter() {
            return Servers::resteasyOnJetty;
        }

        @Override
        DynamicFeature roleFilters() {
            return new RoleBasedSecurityFeature();
        }
    }

    abstract static class Implementation implements ReplayAuthorizationContract {

        abstract TestServer.Starter starter();

        /** The implementation's own feature for {@code @RolesAllowed}. */
        abstract DynamicFeature roleFilters();

        @Override
        public ContractServer.Transport transport() {
            return (gate, handler) -> {
                TestServer.Started started = starter()
                        .start(application(
                                new Payments(handler),
                                new IdempotencyStatus(),
                                new TestServer.Authentication(),
                                new SemelFeature(gate)));
                return new ContractServer.Started(started.port(), started.stop());
            };
        }

        @Test
        void roles_allowed_of_the_resource_method_is_evaluated() {
            Set<String> payers = ConcurrentHashMap.newKeySet();
            payers.add("alice");
            ContractServer.Transport guarded = (gate, handler) -> {
                TestServer.Started started = starter()
                        .start(application(
                                new ForPayers(),
                                roleFilters(),
                                new RoleAuthentication(payers),
                                new SemelFeature(gate)));
                return new ContractServer.Started(started.port(), started.stop());
            };
            // The status resource is not the annotated method: a check asks for the role there.
            ReplayCheck check = ReplayCheck.of(replay -> replay.request(RequestView.class)
                    .flatMap(request -> request.unwrap(ContainerRequestContext.class))
                    .map(request -> request.getSecurityContext().isUserInRole("payer"))
                    .orElse(false));
            try (ContractServer server = ContractServer.on(guarded)
                    .gate(gate -> gate.replayCheck(check))
                    .route("POST", "*", policy -> policy)
                    .start(call -> {})) {
                assertThat(server.pay("k").text()).isEqualTo(SECRET);
                assertThat(server.pay("k").replayed()).isTrue();
                assertThat(server.status("k").replayed()).isTrue();
                payers.clear();
                for (Wire.Reply reply : new Wire.Reply[] {server.pay("k"), server.status("k")}) {
                    assertThat(reply.status()).isEqualTo(403);
                    assertThat(reply.essence()).doesNotContain(SECRET);
                }
                assertThat(server.pay("k").essence())
                        .isEqualTo(server.pay("unused").essence());
            }
        }
    }

    private static Application application(Object... singletons) {
        return new Application() {
            @Override
            @SuppressWarnings("deprecation")
            public Set<Object> getSingletons() {
                return Set.of(singletons);
            }
        };
    }

    /** A method that the implementation guards. */
    @Path("/")
    public static class ForPayers {

        @POST
        @Path("payments")
        @RolesAllowed("payer")
        public Response pay(String body) {
            return Response.status(201)
                    .entity(ReplayAuthorizationContract.SECRET)
                    .build();
        }

        @GET
        @Path("idempotency/status")
        public Response status() {
            return Response.status(404).build();
        }
    }

    @Priority(Priorities.AUTHENTICATION)
    private static final class RoleAuthentication implements ContainerRequestFilter {

        private final Set<String> payers;

        RoleAuthentication(Set<String> payers) {
            this.payers = payers;
        }

        @Override
        public void filter(ContainerRequestContext request) {
            String user = Optional.ofNullable(request.getHeaderString("X-User")).orElse("alice");
            request.setSecurityContext(new SecurityContext() {
                @Override
                public Principal getUserPrincipal() {
                    return () -> user;
                }

                @Override
                public boolean isUserInRole(String role) {
                    return role.equals("payer") && payers.contains(user);
                }

                @Override
                public boolean isSecure() {
                    return false;
                }

                @Override
                public String getAuthenticationScheme() {
                    return "test";
                }
            });
        }
    }

    /** The handler of a contract, as a resource. */
    @Path("/")
    public static class Payments {

        private final Call.Handler handler;

        Payments(Call.Handler handler) {
            this.handler = handler;
        }

        @POST
        @Path("{path}")
        public Response pay(@PathParam("path") String path, @Context HttpHeaders headers, String body)
                throws Exception {
            ResourceCall call = new ResourceCall("/" + path, headers);
            handler.handle(call);
            return call.response.entity(call.body.toByteArray()).build();
        }
    }

    private static final class ResourceCall implements Call {

        private final String path;
        private final HttpHeaders headers;
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();
        private final Response.ResponseBuilder response = Response.ok();

        ResourceCall(String path, HttpHeaders headers) {
            this.path = path;
            this.headers = headers;
        }

        @Override
        public String path() {
            return path;
        }

        @Override
        public String user() {
            return Optional.ofNullable(headers.getHeaderString("X-User")).orElse("alice");
        }

        @Override
        public Optional<Attempt> attempt() {
            return Optional.empty();
        }

        @Override
        public byte[] body() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void parse() {}

        @Override
        public void status(int status) {
            response.status(status);
        }

        @Override
        public void header(String name, String value) {
            response.header(name, value);
        }

        @Override
        public OutputStream out() {
            return body;
        }
    }
}
