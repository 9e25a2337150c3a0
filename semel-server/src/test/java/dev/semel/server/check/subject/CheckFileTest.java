package dev.semel.server.check.subject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.server.check.wire.Header;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A file with operations")
class CheckFileTest {

    @TempDir
    Path directory;

    private CheckFile read(String text) throws IOException {
        return CheckFile.read(Files.writeString(directory.resolve("check.yaml"), text), "Idempotency-Key");
    }

    @Test
    void has_curl_commands_and_requests_and_oracles() throws IOException {
        CheckFile file = read("""
            header: X-Key
            as: 'Authorization: Bearer b'
            effects-get: http://127.0.0.1:1/ledger#/count
            operations:
              - name: pay
                curl: >
                  curl http://127.0.0.1:8080/payments -H 'X-Key: old' --json '{"amount":1}'
              - url: http://127.0.0.1:8080/orders
                method: PUT
                headers: ['Content-Type: application/json']
                body: '{"n":"{{int}}"}'
                failing-body: '{}'
                effects-sql: {url: 'jdbc:sqlite:x.db', query: select count(*) from orders}
            """);

        assertThat(file.header()).isEqualTo("X-Key");
        assertThat(file.account()).containsExactly(new Header("Authorization", "Bearer b"));
        assertThat(file.operations()).hasSize(2);
        Target pay = file.operations().get(0).target();
        assertThat(pay.name()).isEqualTo("pay");
        assertThat(pay.headers()).noneMatch(header -> header.isNamed("X-Key"));
        assertThat(pay.place())
                .isEqualTo(new Target.Place(directory.resolve("check.yaml").toString(), 5));
        assertThat(file.operations().get(0).oracle().description()).isEqualTo("GET http://127.0.0.1:1/ledger#/count");
        assertThat(file.operations().get(1).target().method()).isEqualTo("PUT");
        assertThat(file.operations().get(1).target().bodies().failing()).isEqualTo("{}");
        assertThat(file.operations().get(1).oracle().description())
                .isEqualTo("select count(*) from orders in jdbc:sqlite:x.db");
    }

    @Test
    void is_refused_with_the_line_of_the_mistake() {
        assertThatThrownBy(() -> read("operations:\n  - bodi: x\n    url: http://127.0.0.1/\n"))
                .hasMessageContaining("check.yaml:2")
                .hasMessageContaining("did you mean body");
        assertThatThrownBy(() -> read("operations:\n  - curl: curl http://127.0.0.1/ --proxy x\n"))
                .hasMessageContaining("check.yaml:2")
                .hasMessageContaining("--proxy");
        assertThatThrownBy(() -> read("operations:\n  - curl: curl x -H 'A: b'\n"))
                .hasMessageContaining("check.yaml:2 is no YAML");
        assertThatThrownBy(() -> read("header: X\n")).hasMessageContaining("at least one operation");
        assertThatThrownBy(() -> read("operations:\n  - url: nowhere\n"))
                .hasMessageContaining("is no address of an API");
    }
}
