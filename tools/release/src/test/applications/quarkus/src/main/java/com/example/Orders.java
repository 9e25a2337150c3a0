package com.example;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Response;
import java.util.concurrent.atomic.AtomicInteger;

/** Orders that are only counted. */
@Path("/orders")
@ApplicationScoped
public class Orders {

    private final AtomicInteger orders = new AtomicInteger();

    @POST
    public Response order(String body) {
        return Response.status(201).entity("order " + orders.incrementAndGet()).build();
    }
}
