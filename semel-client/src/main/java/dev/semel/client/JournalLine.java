package dev.semel.client;

import dev.semel.client.IntentJournal.Entry;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;

/** A line of a journal, which is one change: words separated by tabs. */
sealed interface JournalLine {

    String name();

    String text();

    record Begun(Entry entry) implements JournalLine {

        @Override
        public String name() {
            return entry.name();
        }

        @Override
        public String text() {
            return String.join(
                    "\t",
                    "begun",
                    entry.name(),
                    entry.key(),
                    entry.digest(),
                    entry.begun().toString());
        }
    }

    record Finished(String name) implements JournalLine {

        @Override
        public String text() {
            return "finished\t" + name;
        }
    }

    record Forgotten(String name) implements JournalLine {

        @Override
        public String text() {
            return "forgotten\t" + name;
        }
    }

    static JournalLine parse(String text) throws IOException {
        String[] words = text.split("\t", -1);
        try {
            if (words.length == 5 && words[0].equals("begun")) {
                return new Begun(new Entry(words[1], words[2], words[3], Instant.parse(words[4])));
            }
        } catch (DateTimeException e) {
            throw new IOException("a line of the journal has no valid time: " + text, e);
        }
        if (words.length == 2 && words[0].equals("finished")) {
            return new Finished(words[1]);
        }
        if (words.length == 2 && words[0].equals("forgotten")) {
            return new Forgotten(words[1]);
        }
        throw new IOException("a line of the journal is not known to this release: " + text);
    }
}
