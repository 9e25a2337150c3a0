package dev.semel.examples.policies;

import dev.semel.Attempt;
import dev.semel.Codec;
import dev.semel.NotExecutedException;
import dev.semel.Step;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** {@code reexecutable: true}: the next attempt continues after the recorded steps; the hotel answers the second call only. */
@RestController
class TripInSteps {

    private static final Step FLIGHT = Step.named("flight").deduplicatedFor(Duration.ofHours(24));
    private static final Step HOTEL = Step.named("hotel").deduplicatedFor(Duration.ofHours(24));

    private final AtomicInteger flights = new AtomicInteger();
    private final Set<String> calls = ConcurrentHashMap.newKeySet();

    @PostMapping("/reexecutable-steps")
    @ResponseStatus(HttpStatus.CREATED)
    Map<String, Object> book(Attempt attempt) {
        String flight = attempt.step(FLIGHT, Codec.text(), key -> "flight " + flights.incrementAndGet());
        String hotel = attempt.step(HOTEL, Codec.text(), key -> {
            if (calls.add(key)) {
                throw new NotExecutedException("the hotel does not answer");
            }
            return "a room";
        });
        return Map.of("flight", flight, "hotel", hotel, "flights", flights.get());
    }
}
