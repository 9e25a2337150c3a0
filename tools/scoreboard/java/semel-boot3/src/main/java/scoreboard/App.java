package scoreboard;

import java.net.URI;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Semel's starter as its first page shows it: no code for keys. */
@SpringBootApplication
@RestController
public class App {

    @PostMapping("/payments")
    public ResponseEntity<Map<String, String>> create(@RequestBody Map<String, Object> body) {
        Map<String, String> payment = Payments.pay();
        return ResponseEntity.created(URI.create("/payments/" + payment.get("id"))).body(payment);
    }

    @GetMapping("/effects")
    public String effects() {
        return String.valueOf(Payments.COUNT.get());
    }

    public static void main(String[] args) {
        SpringApplication.run(App.class, args);
    }
}
