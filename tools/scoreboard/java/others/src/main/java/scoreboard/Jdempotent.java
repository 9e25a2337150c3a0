package scoreboard;

import com.trendyol.jdempotent.core.annotation.JdempotentRequestPayload;
import com.trendyol.jdempotent.core.annotation.JdempotentResource;
import com.trendyol.jdempotent.core.aspect.IdempotentAspect;
import com.trendyol.jdempotent.core.datasource.InMemoryIdempotentRepository;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/** Jdempotent-core with its memory repository. It makes the key of a payload; the payload is the header here. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class Jdempotent {

    @Bean
    IdempotentAspect aspect() {
        return new IdempotentAspect(new InMemoryIdempotentRepository());
    }

    @Bean
    Operations operations() {
        return new Operations();
    }

    /** The payload that the library makes its key of. */
    public static class Request {
        public final String idempotencyKey;

        public Request(String idempotencyKey) {
            this.idempotencyKey = idempotencyKey;
        }
    }

    /** The protected method. */
    public static class Operations {

        @JdempotentResource(cachePrefix = "payments", ttl = 1, ttlTimeUnit = TimeUnit.HOURS)
        public Map<String, String> pay(@JdempotentRequestPayload Request request) {
            return Payments.pay();
        }
    }

    /** The controller. */
    @RestController
    public static class Api {

        private final Operations operations;

        Api(Operations operations) {
            this.operations = operations;
        }

        @PostMapping("/payments")
        public ResponseEntity<Map<String, String>> create(
                @RequestHeader("Idempotency-Key") String key, @RequestBody Map<String, Object> body) {
            Map<String, String> payment = operations.pay(new Request(key));
            return ResponseEntity.status(HttpStatus.CREATED).header("Location", "/payments/" + payment.get("id")).body(payment);
        }

        @GetMapping("/effects")
        public String effects() {
            return String.valueOf(Payments.COUNT.get());
        }
    }

    public static void main(String[] args) {
        SpringApplication.run(Jdempotent.class, args);
    }
}
