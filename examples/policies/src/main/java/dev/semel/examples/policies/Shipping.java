package dev.semel.examples.policies;

import dev.semel.RefusedException;
import dev.semel.examples.policies.Executions.Receipt;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Calls a method that is {@code @Idempotent}; the endpoint itself is not protected. */
@RestController
class Shipping {

    private final Parcels parcels;

    Shipping(Parcels parcels) {
        this.parcels = parcels;
    }

    @PostMapping("/ship-order")
    @ResponseStatus(HttpStatus.CREATED)
    Receipt ship(@RequestBody Parcels.Order order) {
        return parcels.ship(order);
    }

    @ExceptionHandler
    @ResponseStatus(HttpStatus.CONFLICT)
    String answer(RefusedException refused) {
        return String.valueOf(refused.getMessage());
    }
}
