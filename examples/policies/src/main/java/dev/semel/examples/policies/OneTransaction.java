package dev.semel.examples.policies;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** {@code transactional: true}: the row and the record commit together; the first try fails after its row was written. */
@RestController
class OneTransaction {

    private final JdbcClient jdbc;
    private final Set<String> tried = ConcurrentHashMap.newKeySet();

    OneTransaction(JdbcClient jdbc) {
        this.jdbc = jdbc;
        jdbc.sql("CREATE TABLE placed (id INTEGER PRIMARY KEY, key TEXT)").update();
    }

    @PostMapping("/transactional")
    @ResponseStatus(HttpStatus.CREATED)
    Map<String, Object> place(@RequestHeader("Idempotency-Key") String key) {
        jdbc.sql("INSERT INTO placed (key) VALUES (:key)").param("key", key).update();
        if (tried.add(key)) {
            throw new ResponseStatusException(HttpStatus.BAD_GATEWAY, "after the row was written");
        }
        return Map.of(
                "rows",
                jdbc.sql("SELECT count(*) FROM placed").query(Long.class).single());
    }
}
