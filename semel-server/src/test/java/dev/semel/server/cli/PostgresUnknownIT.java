package dev.semel.server.cli;

import dev.semel.testsupport.servers.PostgresServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;

@DisplayName("Unknown outcomes in PostgreSQL, on the command line,")
class PostgresUnknownIT extends UnknownCommands {

    private String uri;

    @Override
    @BeforeEach
    void openStore() {
        uri = PostgresServer.shared().newDatabase();
        super.openStore();
    }

    @Override
    String uri() {
        return uri;
    }
}
