package dev.semel.examples.quarkus;

import dev.semel.NotExecutedException;
import io.smallrye.common.annotation.Blocking;
import io.smallrye.common.annotation.NonBlocking;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.FormParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.atomic.AtomicInteger;

/** Payments that are only counted. */
@Path("/payments")
@ApplicationScoped
public class PaymentResource {

    private final AtomicInteger payments = new AtomicInteger();
    private final CountDownLatch approval = new CountDownLatch(1);

    @GET
    @Produces(MediaType.TEXT_PLAIN)
    public String count() {
        return Integer.toString(payments.get());
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @Produces(MediaType.TEXT_PLAIN)
    public Response pay(String order) {
        int number = payments.incrementAndGet();
        return Response.created(URI.create("/payments/" + number))
                .entity("payment " + number + " of " + order)
                .build();
    }

    /** Answers later. Semel blocks while it asks the store, so that the method must not be called on an event loop. */
    @POST
    @Path("later")
    @Blocking
    @Produces(MediaType.TEXT_PLAIN)
    public CompletionStage<String> payLater(String order) {
        return CompletableFuture.supplyAsync(() -> "payment " + payments.incrementAndGet());
    }

    /** Runs on the event loop of Quarkus REST, so that it is refused there. */
    @POST
    @Path("on-event-loop")
    @NonBlocking
    @Produces(MediaType.TEXT_PLAIN)
    public CompletionStage<String> payOnEventLoop() {
        return CompletableFuture.completedFuture("payment " + payments.incrementAndGet());
    }

    @POST
    @Path("form")
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    @Produces(MediaType.TEXT_PLAIN)
    public String payByForm(@FormParam("amount") String amount) {
        return "payment " + payments.incrementAndGet() + " of " + amount;
    }

    /** A payment that waits until it is approved. */
    @POST
    @Path("approved")
    @Produces(MediaType.TEXT_PLAIN)
    public Response payWhenApproved(String order) throws InterruptedException {
        int number = payments.incrementAndGet();
        approval.await();
        return Response.status(201)
                .header("X-Payment", number)
                .entity("payment " + number)
                .build();
    }

    @DELETE
    @Path("approved")
    public void approve() {
        approval.countDown();
    }

    /** A failure after the effect: recorded, and replayed. */
    @POST
    @Path("failing")
    public String fail(String order) {
        throw new IllegalStateException("failed after payment " + payments.incrementAndGet());
    }

    /** A failure that had no effect: the key is free. */
    @POST
    @Path("refused")
    public String refuse(String order) {
        payments.incrementAndGet();
        throw new NotExecutedException("the bank refused the connection");
    }

    /** A stream, which cannot be recorded: refused before anything is claimed. */
    @POST
    @Path("streamed")
    public Flow.Publisher<String> stream(String order) {
        payments.incrementAndGet();
        return new SubmissionPublisher<>();
    }
}
