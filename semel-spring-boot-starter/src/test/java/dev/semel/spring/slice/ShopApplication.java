package dev.semel.spring.slice;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** The application that is tested. */
@SpringBootApplication
public class ShopApplication {

    /** What the shop sells through. */
    interface Warehouse {

        String ship(String item);
    }

    /** The controller that is tested. */
    @RestController
    static class Orders {

        private final Warehouse warehouse;

        Orders(Warehouse warehouse) {
            this.warehouse = warehouse;
        }

        @PostMapping("/orders")
        @ResponseStatus(HttpStatus.CREATED)
        String order(@RequestBody String item) {
            return warehouse.ship(item);
        }
    }
}
