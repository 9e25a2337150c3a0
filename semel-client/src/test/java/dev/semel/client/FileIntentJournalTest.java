package dev.semel.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.client.IntentJournal.Begun;
import dev.semel.client.IntentJournal.Entry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A journal of intents in a file")
class FileIntentJournalTest {

    @TempDir
    Path directory;

    private Path path;

    @BeforeEach
    void place() {
        path = directory.resolve("intents");
    }

    private FileIntentJournal open() throws IOException {
        return FileIntentJournal.open(path);
    }

    private static Entry entry(String name, String key) {
        return new Entry(name, key, "digest of " + name, QuickTime.START);
    }

    private static Entry entry(int number) {
        return entry("order-" + number, "key-" + number);
    }

    @Test
    void keeps_the_first_key_of_a_name() throws IOException {
        try (FileIntentJournal journal = open()) {
            assertThat(journal.begin(entry("a", "k1"))).isEqualTo(new Begun(entry("a", "k1"), true));
            assertThat(journal.begin(entry("a", "k2"))).isEqualTo(new Begun(entry("a", "k1"), false));
        }
        try (FileIntentJournal journal = open()) {
            assertThat(journal.unfinished()).containsExactly(entry("a", "k1"));
            assertThat(journal.begin(entry("a", "k3"))).isEqualTo(new Begun(entry("a", "k1"), false));
        }
    }

    @Test
    void keeps_finished_intents_and_resumes_them() throws IOException {
        try (FileIntentJournal journal = open()) {
            journal.begin(entry("ü \"x\" 😀", "k1"));
            journal.finish("ü \"x\" 😀");
            journal.finish("never begun");
        }
        try (FileIntentJournal journal = open()) {
            assertThat(journal.unfinished()).isEmpty();
            assertThat(journal.find("ü \"x\" 😀")).contains(entry("ü \"x\" 😀", "k1"));
            assertThat(journal.begin(entry("ü \"x\" 😀", "k2")).entry().key()).isEqualTo("k1");
            assertThat(journal.unfinished()).hasSize(1);
        }
        try (FileIntentJournal journal = open()) {
            assertThat(journal.unfinished()).containsExactly(entry("ü \"x\" 😀", "k1"));
        }
    }

    @Test
    void forgets_an_intent_on_request() throws IOException {
        try (FileIntentJournal journal = open()) {
            journal.begin(entry("a", "k1"));
            journal.forget("a");
            journal.forget("b");
            assertThat(journal.find("a")).isEmpty();
        }
        try (FileIntentJournal journal = open()) {
            assertThat(journal.begin(entry("a", "k2"))).isEqualTo(new Begun(entry("a", "k2"), true));
        }
    }

    @Test
    void lists_unfinished_intents_the_oldest_first() throws IOException {
        try (FileIntentJournal journal = open()) {
            for (int i = 0; i < 5; i++) {
                journal.begin(entry(i));
            }
            journal.finish("order-1");
        }
        try (FileIntentJournal journal = open()) {
            assertThat(journal.unfinished()).containsExactly(entry(0), entry(2), entry(3), entry(4));
        }
    }

    @Test
    void survives_a_crash_at_any_byte_of_the_last_line() throws IOException {
        try (FileIntentJournal journal = open()) {
            journal.begin(entry(1));
        }
        long before = Files.size(path);
        try (FileIntentJournal journal = open()) {
            journal.begin(entry(2));
        }
        byte[] whole = Files.readAllBytes(path);
        for (int length = (int) before; length < whole.length; length++) {
            Files.write(path, Arrays.copyOf(whole, length));
            try (FileIntentJournal journal = open()) {
                assertThat(journal.unfinished()).containsExactly(entry(1));
                journal.begin(entry(3));
            }
            try (FileIntentJournal journal = open()) {
                assertThat(journal.unfinished()).containsExactly(entry(1), entry(3));
            }
        }
    }

    @Test
    void survives_a_crash_at_any_byte_of_its_creation() throws IOException {
        open().close();
        byte[] whole = Files.readAllBytes(path);
        for (int length = 0; length < whole.length; length++) {
            Files.write(path, Arrays.copyOf(whole, length));
            try (FileIntentJournal journal = open()) {
                assertThat(journal.unfinished()).isEmpty();
            }
            assertThat(Files.readAllBytes(path)).isEqualTo(whole);
        }
    }

    @Test
    void survives_a_last_line_that_was_not_written_to_disk() throws IOException {
        try (FileIntentJournal journal = open()) {
            journal.begin(entry(1));
        }
        Files.write(path, new byte[200], StandardOpenOption.APPEND);
        try (FileIntentJournal journal = open()) {
            assertThat(journal.unfinished()).containsExactly(entry(1));
        }
        Files.writeString(path, "begun\torder-2\0\0\0\0\0\n", StandardOpenOption.APPEND);
        try (FileIntentJournal journal = open()) {
            assertThat(journal.unfinished()).containsExactly(entry(1));
        }
    }

    @Test
    void does_not_open_when_a_line_before_the_last_is_damaged() throws IOException {
        try (FileIntentJournal journal = open()) {
            journal.begin(entry(1));
            journal.begin(entry(2));
        }
        byte[] damaged = Files.readString(path).replace("key-1", "key-7").getBytes(StandardCharsets.UTF_8);
        Files.write(path, damaged);

        assertThatThrownBy(this::open).hasMessageContaining("line 2").hasMessageContaining("damaged");
        assertThat(Files.readAllBytes(path)).isEqualTo(damaged);
    }

    @Test
    void does_not_change_other_files() throws IOException {
        for (String text :
                List.of("notes", "notes\n", "semel-intents\t2\tdeadbeef\n", "\n", "semel-intents\t1\t00000000\nx\n")) {
            Files.writeString(path, text);

            assertThatThrownBy(this::open).isInstanceOf(IOException.class).hasMessageContaining("no journal");
            assertThat(path).hasContent(text);
        }
    }

    @Test
    void can_be_open_only_once() throws IOException {
        try (FileIntentJournal journal = open()) {
            assertThatThrownBy(this::open).isInstanceOf(IOException.class).hasMessageContaining("is in use");
            journal.begin(entry(1));
        }
        try (FileIntentJournal journal = open()) {
            assertThat(journal.unfinished()).hasSize(1);
        }
    }

    @Test
    void fails_with_the_reason_when_it_is_closed() throws IOException {
        FileIntentJournal journal = open();
        journal.close();
        journal.close();

        assertThatThrownBy(() -> journal.begin(entry(1)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is closed");
    }

    @Test
    void refuses_names_that_cannot_be_stored() throws IOException {
        try (FileIntentJournal journal = open()) {
            assertThatThrownBy(() -> journal.begin(entry("a\nb", "k"))).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> journal.begin(entry("a\tb", "k"))).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> journal.begin(entry("\ud800", "k"))).isInstanceOf(IOException.class);
            assertThat(journal.unfinished()).isEmpty();
        }
    }

    @Test
    void serves_many_threads() throws IOException {
        int threads = 8;
        int each = 50;
        try (FileIntentJournal journal = open()) {
            List<CompletableFuture<Void>> all = IntStream.range(0, threads)
                    .mapToObj(thread -> CompletableFuture.runAsync(() -> {
                        for (int i = 0; i < each; i++) {
                            int number = i;
                            unchecked(() -> journal.begin(entry(thread * each + number)));
                            unchecked(() -> journal.begin(entry("shared-" + number, "by-" + thread)));
                            if (number % 2 == 0) {
                                unchecked(() -> {
                                    journal.finish("order-" + (thread * each + number));
                                    return null;
                                });
                            }
                        }
                    }))
                    .toList();
            all.forEach(CompletableFuture::join);
        }
        try (FileIntentJournal journal = open()) {
            Set<String> names = journal.unfinished().stream().map(Entry::name).collect(Collectors.toSet());
            assertThat(names).hasSize(threads * each / 2 + each).contains("order-1", "shared-0");
        }
    }

    private interface Action {
        Object run() throws IOException;
    }

    private static void unchecked(Action action) {
        try {
            action.run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void does_not_grow_with_obsolete_lines() throws IOException {
        try (FileIntentJournal journal = open()) {
            journal.begin(entry("first", "k"));
        }
        try (JournalFile file = JournalFile.open(path)) {
            for (int i = 0; i < 40_000; i++) {
                file.append(new JournalLine.Begun(entry(i)).text());
                file.append(new JournalLine.Finished("order-" + i).text());
            }
        }
        long before = Files.size(path);

        try (FileIntentJournal journal = open()) {
            assertThat(Files.size(path)).isLessThan(before / 3);
            assertThat(journal.find("order-29999")).isEmpty();
            assertThat(journal.find("order-30000")).contains(entry(30_000));
            journal.begin(entry("last", "k"));
        }
        try (FileIntentJournal journal = open()) {
            assertThat(journal.unfinished()).containsExactly(entry("first", "k"), entry("last", "k"));
            assertThat(journal.find("order-39999")).contains(entry(39_999));
        }
    }

    @Test
    void is_rewritten_while_it_is_in_use() throws IOException {
        try (FileIntentJournal journal = open()) {
            journal.begin(entry("first", "k"));
        }
        try (JournalFile file = JournalFile.open(path)) {
            for (int i = 0; i < 5_000; i++) {
                file.append(new JournalLine.Begun(entry("again", "k2")).text());
                file.append(new JournalLine.Finished("again").text());
            }
        }
        try (FileIntentJournal journal = open()) {
            assertThat(Files.readAllLines(path)).hasSizeGreaterThan(10_000);
            for (int i = 0; i < 10; i++) {
                journal.begin(entry("again", "k3"));
                journal.finish("again");
            }
        }
        assertThat(Files.readAllLines(path)).hasSizeLessThan(30);
        try (FileIntentJournal journal = open()) {
            assertThat(journal.unfinished()).containsExactly(entry("first", "k"));
            assertThat(journal.find("again")).contains(entry("again", "k2"));
        }
        assertThat(directory.resolve("intents.new")).doesNotExist();
    }

    @Test
    void keeps_working_when_it_cannot_be_rewritten() throws IOException {
        open().close();
        try (JournalFile file = JournalFile.open(path)) {
            for (int i = 0; i < 5_000; i++) {
                file.append(new JournalLine.Begun(entry("again", "k2")).text());
                file.append(new JournalLine.Finished("again").text());
            }
        }
        try (FileIntentJournal journal = open()) {
            Files.createDirectory(directory.resolve("intents.new"));
            for (int i = 0; i < 10; i++) {
                journal.begin(entry("again", "k3"));
                journal.finish("again");
            }
            journal.begin(entry("last", "k"));
        }
        Files.delete(directory.resolve("intents.new"));
        try (FileIntentJournal journal = open()) {
            assertThat(journal.unfinished()).containsExactly(entry("last", "k"));
        }
    }
}
