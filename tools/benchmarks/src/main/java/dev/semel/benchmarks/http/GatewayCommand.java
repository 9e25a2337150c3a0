package dev.semel.benchmarks.http;

import dev.semel.server.cli.SemelCli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Semel's gateway in this process, as its command starts it. */
final class GatewayCommand {

    private GatewayCommand() {}

    /** Starts it; it prints its address when it is ready. */
    static void start(Protection protection) throws IOException {
        Path config = Files.createTempFile("semel-bench-gateway", ".yaml");
        config.toFile().deleteOnExit();
        Files.writeString(config, """
                store: "%s"
                upstream: http://127.0.0.1:%d
                scope: shared
                routes:
                  - {name: payments, path: %s}
                """.formatted(protection.store(), protection.upstream(), PaymentServlet.PATH));
        String[] arguments = {
            "gateway", "--config", config.toString(), "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0"
        };
        Thread command = new Thread(() -> SemelCli.main(arguments), "gateway");
        command.setDaemon(true);
        command.start();
    }
}
