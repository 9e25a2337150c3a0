package dev.semel.examples.payments.orders;

import dev.semel.Attempt;
import dev.semel.examples.payments.OnDatabase;
import dev.semel.spring.Idempotent;
import java.net.URI;
import java.security.Principal;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/**
 * Takes orders. Everything it writes is in the transaction in which the filter has claimed the request's key: order, items,
 * inventory and recorded response commit together, or none of them does. The domain tables store a key that is derived from
 * the request's and is the same on every attempt.
 *
 * <p>A shortage is an answer, not a failure: it is returned, recorded and replayed. An exception would roll the claim back.
 */
@RestController
@OnDatabase
public final class OrdersController {

    private final Orders orders;

    public OrdersController(Orders orders) {
        this.orders = orders;
    }

    /** The requested status of an order. */
    record StatusRequest(@Nullable String status) {}

    @PostMapping("/orders")
    @Idempotent(operation = "place-order")
    ResponseEntity<Object> place(@RequestBody OrderRequest body, Principal account, Attempt attempt) {
        Placement placement = orders.place(account.getName(), attempt.downstreamKey("order"), body.checkedItems());
        if (placement instanceof Placement.Placed placed) {
            return ResponseEntity.created(URI.create("/orders/" + placed.order().orderId()))
                    .body(placed.order());
        }
        if (placement instanceof Placement.UsedBefore) {
            return ResponseEntity.status(HttpStatus.CONFLICT)
                    .body(problem("key_used_before", "This key has placed another order before. Use a new key."));
        }
        String productId = ((Placement.Shortage) placement).productId();
        ProblemDetail problem = problem("insufficient_stock", "There is not enough of " + productId + ".");
        problem.setProperty("productId", productId);
        return ResponseEntity.status(HttpStatus.CONFLICT).body(problem);
    }

    @GetMapping("/orders/{orderId}")
    Order find(@PathVariable String orderId, Principal account) {
        return orders.find(account.getName(), orderId).orElseThrow(NoSuchOrderException::new);
    }

    @PutMapping("/orders/{orderId}/status")
    @Idempotent(operation = "move-order")
    ResponseEntity<Object> move(
            @PathVariable String orderId, @RequestBody StatusRequest body, Principal account, Attempt attempt) {
        OrderStatus to = OrderStatus.ofLabel(String.valueOf(body.status()))
                .orElseThrow(
                        () -> new InvalidOrderException(Map.of("status", "must be one of " + OrderStatus.labels())));
        Order order = orders.findAndHold(account.getName(), orderId).orElseThrow(NoSuchOrderException::new);
        return orders.move(account.getName(), order, attempt.downstreamKey("order-status"), to)
                .<ResponseEntity<Object>>map(ResponseEntity::ok)
                .orElseGet(() -> ResponseEntity.status(HttpStatus.CONFLICT)
                        .body(problem(
                                "status_not_reachable",
                                "An order that is " + order.status() + " cannot become " + to.label() + ".")));
    }

    private static ProblemDetail problem(String code, String detail) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, detail);
        problem.setType(URI.create("urn:payments:problem:" + code));
        problem.setProperty("code", code);
        return problem;
    }
}
