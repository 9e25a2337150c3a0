package scoreboard;

import io.github.arun0009.idempotent.core.annotation.Idempotent;
import io.github.arun0009.idempotent.core.aspect.IdempotentAspect;
import io.github.arun0009.idempotent.core.persistence.InMemoryIdempotentStore;
import java.util.Map;
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

/** io.github.arun0009:idempotent-core with its memory store: the annotation on a controller method, the key from the header. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class Arun0009 {

    @Bean
    IdempotentAspect aspect() {
        return new IdempotentAspect(new InMemoryIdempotentStore());
    }

    /** The controller. */
    @RestController
    public static class Api {

        @Idempotent(key = "#key", ttlInSeconds = 3600)
        @PostMapping("/payments")
        public ResponseEntity<Map<String, String>> create(
                @RequestHeader("Idempotency-Key") String key, @RequestBody Map<String, Object> body) {
            Map<String, String> payment = Payments.pay();
            return ResponseEntity.status(HttpStatus.CREATED).header("Location", "/payments/" + payment.get("id")).body(payment);
        }

        @GetMapping("/effects")
        public String effects() {
            return String.valueOf(Payments.COUNT.get());
        }
    }

    public static void main(String[] args) {
        SpringApplication.run(Arun0009.class, args);
    }
}
