package dev.semel.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.admin.access.Role;
import dev.semel.admin.access.TokenFile;
import dev.semel.server.gateway.config.ConfigFile;
import dev.semel.server.gateway.config.FileConfig;
import dev.semel.server.gateway.config.HostPort;
import dev.semel.server.gateway.config.JwtConfig;
import dev.semel.server.gateway.config.ListenerConfig;
import dev.semel.server.gateway.config.StoreConfig;
import dev.semel.testsupport.http.Wire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The console of a gateway")
class GatewayConsoleTest {

    private static final String CALLS = "/semel/api/v1";
    private static final byte[] CUT = new byte[0];

    @TempDir
    private Path folder;

    private final LedgerService service = new LedgerService();
    private @Nullable GatewayProcess started;

    @AfterEach
    void stop() {
        if (started != null) {
            started.close();
        }
        service.close();
    }

    /** A gateway as its file says. */
    private GatewayProcess gateway(String admin, String console) throws IOException {
        Path file = Files.writeString(folder.resolve("gateway.yaml"), """
                upstream: %s
                scope: shared
                admin: %s
                %s
                routes:
                  - {name: pay, methods: POST, path: /payments, key: required}
                  - {name: others, path: "*", key: none}
                """.formatted(service.url(), admin, console));
        FileConfig config = ConfigFile.read(file, new ConfigFile.Given(null, null, List.of(), JwtConfig.NONE));
        GatewayProcess gateway = GatewayProcess.start(
                new StoreConfig("memory:"),
                new GatewayProcess.Listeners(
                        ListenerConfig.on(new HostPort("127.0.0.1", 0)), config.admin(), config.console()),
                config.gateway());
        started = gateway;
        return gateway;
    }

    private static Wire.Reply pay(GatewayProcess gateway) {
        return new Wire.Request("POST", "/payments")
                .key("order-4711-first-try")
                .json("{\"order\":\"o-7\"}")
                .send(gateway.address().port());
    }

    private void loseAnswer(GatewayProcess gateway) {
        LedgerService.Work before = service.work;
        service.work = request -> CUT;
        assertThat(pay(gateway).status()).isEqualTo(409);
        service.work = before;
    }

    private static Wire.Reply post(GatewayProcess gateway, String cookie, String call, String json) {
        return new Wire.Request("POST", CALLS + call)
                .header("Cookie", cookie)
                .json(json)
                .send(gateway.adminAddress().port());
    }

    /** The first fence is that of the secret for explained mismatches. */
    private static String settlement() {
        return "{\"scope\":\"shared\",\"key\":\"order-4711-first-try\",\"fence\":2,\"happened\":true,\"reason\":\"statement 7\","
                + "\"response\":{\"status\":201,\"headers\":[[\"Location\",\"/payments/7\"]],\"body\":\"paid\"}}";
    }

    @Test
    void a_person_logs_in_by_token_and_settles_and_the_client_gets_the_response() throws IOException {
        TokenFile.Made made = TokenFile.make("alice", Role.OPERATOR);
        Path tokens = Files.writeString(folder.resolve("tokens"), made.line());
        GatewayProcess gateway = gateway("127.0.0.1:0", "console: { write: true, tokens: " + tokens + " }");
        loseAnswer(gateway);

        assertThat(post(gateway, "semel-session=guess", "/unknown/settle", settlement())
                        .status())
                .isEqualTo(401);
        Wire.Reply login = post(gateway, "", "/login", "{\"token\":\"" + made.token() + "\"}");
        String cookie = login.first("Set-Cookie").orElseThrow();
        String session = cookie.substring(0, cookie.indexOf(';'));
        Wire.Reply queue = post(gateway, session, "/unknown/search", "{}");
        assertThat(queue.text()).contains("\"key\":\"order-4711-first-try\"", "\"operation\":\"pay\"");
        Wire.Reply settled = post(gateway, session, "/unknown/settle", settlement());

        assertThat(settled.text()).contains("\"settled\":true");
        Wire.Reply retry = pay(gateway);
        assertThat(retry.status()).isEqualTo(201);
        assertThat(retry.first("Location")).isEqualTo(Optional.of("/payments/7"));
        assertThat(retry.replayed()).isTrue();
        assertThat(retry.text()).isEqualTo("paid");
        assertThat(service.executions("order-4711-first-try")).isEqualTo(1);
    }

    @Test
    void it_only_shows_unless_the_file_says_otherwise() throws IOException {
        GatewayProcess gateway = gateway("127.0.0.1:0", "");
        loseAnswer(gateway);

        assertThat(post(gateway, "", "/unknown/search", "{}").text()).contains("order-4711-first-try");
        assertThat(post(gateway, "", "/unknown/settle", settlement()).text()).contains("\"code\":\"read_only\"");
        assertThat(pay(gateway).status()).isEqualTo(409);
    }

    @Test
    void it_shows_what_the_doctor_finds_about_the_gateways_store() throws IOException {
        GatewayProcess gateway = gateway("127.0.0.1:0", "");

        Wire.Reply reply = new Wire.Request("GET", CALLS + "/doctor")
                .send(gateway.adminAddress().port());
        assertThat(reply.text()).contains("\"level\":\"note\"", "records are in the memory of this process");
    }

    @Test
    void clients_do_not_reach_it() throws IOException {
        GatewayProcess gateway = gateway("127.0.0.1:0", "console: { write: true }");

        for (String path : List.of("/semel/console/", CALLS + "/session", "//semel/api/v1/session")) {
            Wire.Reply reply =
                    new Wire.Request("GET", path).send(gateway.address().port());
            assertThat(reply.text()).as(path).doesNotContain("authenticated", "Semel");
            assertThat(reply.first("Content-Security-Policy")).isEmpty();
        }
    }

    @Test
    void without_tokens_it_is_not_there_where_other_machines_reach_it() throws IOException {
        GatewayProcess gateway = gateway("0.0.0.0:0", "console: { write: true }");

        Wire.Reply reply = new Wire.Request("GET", CALLS + "/session")
                .send(gateway.adminAddress().port());
        assertThat(reply.status()).isEqualTo(404);
        assertThat(reply.text()).contains("console.tokens");
        assertThat(post(gateway, "", "/unknown/search", "{}").status()).isEqualTo(405);
    }
}
