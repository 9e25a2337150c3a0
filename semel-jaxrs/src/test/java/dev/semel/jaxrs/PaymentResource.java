package dev.semel.jaxrs;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.FormParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.sse.Sse;
import jakarta.ws.rs.sse.SseEventSink;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/** A resource with a method of each kind, which runs what the test says and counts its calls. */
@Path("/")
public class PaymentResource {

    interface Work {
        Response on(String body) throws Exception;
    }

    interface StagedWork {
        CompletionStage<?> on(String body) throws Exception;
    }

    interface SuspendedWork {
        void on(String body, AsyncResponse response) throws Exception;
    }

    /** A type that no provider can read or write. */
    public record Opaque(String content) {}

    final AtomicInteger executions = new AtomicInteger();
    volatile Work work = body -> Response.ok("done").build();
    volatile StagedWork stagedWork = body -> {
        throw new IllegalStateException("the test gave no work");
    };
    volatile SuspendedWork suspendedWork = (body, response) -> response.resume("done");

    @GET
    @Path("payments")
    @Produces(MediaType.TEXT_PLAIN)
    public String list() {
        return "none";
    }

    @POST
    @Path("payments")
    @Consumes(MediaType.APPLICATION_JSON)
    public Response pay(String body) throws Exception {
        executions.incrementAndGet();
        return work.on(body);
    }

    @POST
    @Path("staged")
    public CompletionStage<?> staged(String body) throws Exception {
        executions.incrementAndGet();
        return stagedWork.on(body);
    }

    @POST
    @Path("suspended")
    public void suspended(String body, @Suspended AsyncResponse response) throws Exception {
        executions.incrementAndGet();
        suspendedWork.on(body, response);
    }

    @POST
    @Path("nothing")
    public void nothing(String body) {
        executions.incrementAndGet();
    }

    @POST
    @Path("form")
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    public String form(@FormParam("amount") String amount) {
        executions.incrementAndGet();
        return "amount " + amount;
    }

    @POST
    @Path("unreadable")
    public String unreadable(Opaque body) {
        executions.incrementAndGet();
        return body.content();
    }

    @POST
    @Path("unwritable")
    @Produces("application/x-opaque")
    public Opaque unwritable(String body) {
        executions.incrementAndGet();
        return new Opaque(body);
    }

    @POST
    @Path("events")
    @Produces(MediaType.SERVER_SENT_EVENTS)
    public void events(@Context SseEventSink sink, @Context Sse sse) {
        executions.incrementAndGet();
        sink.send(sse.newEvent("paid"));
        sink.close();
    }

    @POST
    @Path("unprotected/payments")
    public Response unprotected(String body) throws Exception {
        executions.incrementAndGet();
        return work.on(body);
    }
}
