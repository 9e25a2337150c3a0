package dev.semel.server.console;

import dev.semel.Operation;
import dev.semel.admin.AdminApi;
import dev.semel.admin.Catalog;
import dev.semel.admin.Finding;
import dev.semel.admin.LiveFigures;
import dev.semel.admin.MisuseLog;
import dev.semel.admin.ReplayLog;
import dev.semel.admin.access.AdminTime;
import dev.semel.admin.access.Authenticator;
import dev.semel.admin.access.Role;
import dev.semel.admin.access.TokenFile;
import dev.semel.engine.SemelEngine;
import dev.semel.engine.Store;
import dev.semel.jdbc.Stores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A console on a SQLite file, with a payment service on the same engine, and people who may log in. */
final class TestConsole implements AutoCloseable {

    private static final String HOST = "127.0.0.1";
    private static final List<String> PEOPLE = List.of("alice", "bo");

    final Store store;
    final SemelEngine semel;
    final PaymentService payments;
    private final Map<String, String> tokens = new LinkedHashMap<>();
    private final AdminApi api;
    private final int port;
    private ConsoleServer server;

    TestConsole(Path folder, int approvals) throws IOException {
        store = Stores.open("sqlite:" + folder.resolve("semel-" + approvals + ".db"));
        LiveFigures live = new LiveFigures(AdminTime.system());
        MisuseLog misuse = new MisuseLog(AdminTime.system());
        ReplayLog replays = new ReplayLog(AdminTime.system());
        semel = SemelEngine.on(store)
                .listener(live)
                .listener(misuse)
                .listener(replays)
                .build();
        payments = new PaymentService(semel);
        api = AdminApi.on(semel, people(folder.resolve("tokens-" + approvals)))
                .writes(true)
                .approvals(approvals)
                .catalog(catalog())
                .live(live, misuse, replays)
                .doctor(() -> List.of(new Finding("ok", "the journal is synced on every commit")))
                .storeName("sqlite:semel.db")
                .build();
        server = ConsoleServer.start(api, HOST, 0);
        port = server.port();
    }

    private Authenticator people(Path file) throws IOException {
        List<String> lines = new ArrayList<>();
        for (String name : PEOPLE) {
            TokenFile.Made made = TokenFile.make(name, Role.ADMINISTRATOR);
            tokens.put(name, made.token());
            lines.add(made.line());
        }
        Files.write(file, lines);
        return new TokenFile(file);
    }

    private static Catalog catalog() {
        return new Catalog() {
            @Override
            public List<Operation> operations() {
                return List.of(PaymentService.PAY);
            }

            @Override
            public List<Route> routes() {
                return List.of(new Route("POST /payments", PaymentService.policy()));
            }
        };
    }

    String token(String name) {
        return tokens.getOrDefault(name, "");
    }

    String url() {
        return "http://" + HOST + ":" + port + "/semel/console/";
    }

    /** Cuts every connection, and refuses new ones. */
    void stopServing() {
        server.close();
    }

    /** Listens again where it did; who was logged in still is. */
    void serveAgain() {
        server = ConsoleServer.start(api, HOST, port);
    }

    @Override
    public void close() {
        server.close();
        payments.close();
        semel.close();
    }
}
