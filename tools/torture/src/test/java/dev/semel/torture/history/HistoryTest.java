package dev.semel.torture.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Identity;
import dev.semel.State;
import dev.semel.torture.history.FaultEvent.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A history on disk")
class HistoryTest {

    @TempDir
    Path directory;

    private void write(String name, List<? extends HistoryEvent> events) {
        try (HistoryLog log = new HistoryLog(directory.resolve(name))) {
            events.forEach(log::writeDurably);
        }
    }

    @Test
    void reads_as_it_was_written() throws IOException {
        History history = Story.usual()
                .of(Identity.of("a b=c%/ü", "k 1"))
                .unanswered()
                .answered(503, "")
                .declined("a2", 9)
                .changed("reconciled", State.UNKNOWN, State.COMPLETED, 9, "person:alice", "saw it,\nreally")
                .fault(Kind.STOP, "app-1", Duration.ofSeconds(3))
                .history();
        write(History.CLIENTS, history.clients());
        write(History.LEDGER, history.ledger());
        write(History.AUDIT, history.audit());
        write(History.FAULTS, history.faults());

        assertThat(History.read(directory)).isEqualTo(history);
    }

    @Test
    void is_refused_when_a_log_is_missing_or_cut_off() throws IOException {
        write(History.CLIENTS, List.of());
        assertThatThrownBy(() -> History.read(directory)).isInstanceOf(NoSuchFileException.class);

        write(History.LEDGER, List.of());
        write(History.AUDIT, List.of());
        write(History.FAULTS, List.of());
        Files.writeString(directory.resolve(History.LEDGER), "2030-01-01T00:00:00Z charged arri");
        assertThatThrownBy(() -> History.read(directory)).isInstanceOf(IllegalArgumentException.class);
    }
}
