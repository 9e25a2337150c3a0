package dev.semel.torture.history;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/** The four logs of one run. */
public record History(
        List<ClientEvent> clients, List<LedgerEvent> ledger, List<AuditEvent> audit, List<FaultEvent> faults) {

    /** The names of the logs in a run's directory. */
    public static final String CLIENTS = "clients.log";

    public static final String LEDGER = "ledger.log";
    public static final String AUDIT = "audit.log";
    public static final String FAULTS = "faults.log";

    public History {
        clients = List.copyOf(clients);
        ledger = List.copyOf(ledger);
        audit = List.copyOf(audit);
        faults = List.copyOf(faults);
    }

    /**
     * Reads the logs of a directory; a log that is missing is an error, since its silence would prove nothing.
     *
     * @throws IllegalArgumentException when a line cannot be understood
     */
    public static History read(Path directory) throws IOException {
        return new History(
                lines(directory.resolve(CLIENTS), ClientEvent::parse),
                lines(directory.resolve(LEDGER), LedgerEvent::parse),
                lines(directory.resolve(AUDIT), AuditEvent::parse),
                lines(directory.resolve(FAULTS), FaultEvent::parse));
    }

    private static <T> List<T> lines(Path file, Function<String, T> parser) throws IOException {
        return Files.readAllLines(file).stream().map(parser).toList();
    }
}
