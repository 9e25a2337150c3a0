package dev.semel.server.check.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.semel.server.check.wire.Header;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Effects are counted")
class OraclesTest {

    @TempDir
    Path directory;

    @Test
    @DisplayName("by a query, which sees what is committed")
    void by_a_query() throws Exception {
        String url = "jdbc:sqlite:" + directory.resolve("shop.db");
        SqlOracle oracle = new SqlOracle(url, "select count(*) from payments");
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("create table payments (id integer)");
            assertThat(oracle.count()).isZero();
            statement.execute("insert into payments values (1), (2)");
            assertThat(oracle.count()).isEqualTo(2);
        }
        assertThatThrownBy(() -> new SqlOracle(url, "select count(*) from refunds").count())
                .isInstanceOf(OracleException.class)
                .hasMessageContaining("no such table");
        assertThatThrownBy(() -> new SqlOracle("postgresql://x", "select 1")).hasMessageContaining("is no JDBC URL");
    }

    @Test
    @DisplayName("by a query whose URL has a password, which no report shows")
    void by_a_query_without_its_password() {
        SqlOracle oracle = new SqlOracle("jdbc:postgresql://db/shop?user=a&password=hush&ssl=true", "select 1");

        assertThat(oracle.description() + oracle.command())
                .doesNotContain("hush")
                .contains("ssl=true");
    }

    @Test
    @DisplayName("in a JSON document: a number, an array, an object")
    void in_a_json_document() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            boolean allowed = "yes".equals(exchange.getRequestHeaders().getFirst("X-Allowed"));
            byte[] body =
                    "{\"count\":7,\"a/b\":[1,2,3],\"c\":{\"d\":1},\"text\":\"x\"}".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(allowed ? 200 : 403, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        try {
            String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/ledger";
            List<Header> allowed = List.of(new Header("X-Allowed", "yes"));

            assertThat(GetOracle.of(url + "#/count", allowed).count()).isEqualTo(7);
            assertThat(GetOracle.of(url + "#/a~1b", allowed).count()).isEqualTo(3);
            assertThat(GetOracle.of(url, allowed).count()).isEqualTo(4);
            assertThatThrownBy(() -> GetOracle.of(url + "#/text", allowed).count())
                    .hasMessageContaining("neither a number nor an array nor an object at /text");
            assertThatThrownBy(() -> GetOracle.of(url + "#/none", allowed).count())
                    .hasMessageContaining("at /none");
            assertThatThrownBy(() -> GetOracle.of(url, List.of()).count()).hasMessageContaining("answered 403");
        } finally {
            server.stop(0);
        }
    }

    @Test
    @DisplayName("by a command that prints a number")
    void by_a_command() {
        assertThat(new CommandOracle("echo 3").count()).isEqualTo(3);
        assertThatThrownBy(() -> new CommandOracle("echo three; exit 4").count())
                .hasMessageContaining("must print a number")
                .hasMessageContaining("exited with 4")
                .hasMessageContaining("'three'");
    }
}
