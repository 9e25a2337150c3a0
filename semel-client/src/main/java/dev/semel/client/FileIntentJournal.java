package dev.semel.client;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A journal in a file of its own, which one process has open at a time.
 *
 * <p>Every change is one line, synced to the disk before the call returns; calls of many threads share syncs. The journal
 * remembers all unfinished intents and the last 10,000 that were finished, and rewrites the file when most of its lines are of
 * no more use. Of intents it holds names, keys, digests and times, and nothing of what was sent.
 */
public final class FileIntentJournal implements IntentJournal, AutoCloseable {

    private static final System.Logger LOG = System.getLogger("dev.semel.client");

    /** More than any program finishes in the moments between an answer and the program's own note of it; about 3 MB. */
    private static final int REMEMBERED = 10_000;

    /** A file of so many useless lines is small enough to be left as it is. */
    private static final int USELESS_LINES = 10_000;

    /** An intent that was begun, with the number of the line that says so. */
    private record Known(Entry entry, long line) {}

    private final JournalFile file;
    private final Map<String, Known> unfinished = new LinkedHashMap<>();
    private final Map<String, Known> finished = new LinkedHashMap<>();
    private long lines;

    /** After a rewrite that failed, another is not tried before there are so many lines. */
    private long notBefore;

    private FileIntentJournal(JournalFile file) {
        this.file = file;
    }

    /**
     * Opens a journal, or makes it. What a crash left incomplete at its end is removed.
     *
     * @param path of the file; another with {@code .lock} after its name is put beside it
     * @throws IOException when it cannot be read and written, is damaged, or is in use by another process
     */
    public static FileIntentJournal open(Path path) throws IOException {
        JournalFile file = JournalFile.open(path);
        FileIntentJournal journal = new FileIntentJournal(file);
        try {
            for (String line : file.recovered()) {
                journal.apply(JournalLine.parse(line), 0);
            }
            journal.compact();
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
        return journal;
    }

    @Override
    public synchronized Optional<Entry> find(String name) {
        Known known = unfinished.getOrDefault(name, finished.get(name));
        return Optional.ofNullable(known).map(Known::entry);
    }

    @Override
    public Begun begin(Entry proposed) throws IOException {
        requirePlain(proposed.name());
        requirePlain(proposed.key());
        requirePlain(proposed.digest());
        Known known;
        boolean first;
        synchronized (this) {
            Optional<Entry> found = find(proposed.name());
            first = found.isEmpty();
            if (!unfinished.containsKey(proposed.name())) {
                write(new JournalLine.Begun(found.orElse(proposed)));
            }
            known = known(proposed.name());
        }
        file.sync(known.line());
        return new Begun(known.entry(), first);
    }

    private Known known(String name) {
        Known known = unfinished.get(name);
        if (known == null) {
            throw new IllegalStateException("an intent that was just begun is not there: " + name);
        }
        return known;
    }

    @Override
    public void finish(String name) throws IOException {
        long line;
        synchronized (this) {
            if (!unfinished.containsKey(name)) {
                return;
            }
            line = write(new JournalLine.Finished(name));
        }
        file.sync(line);
        compact();
    }

    @Override
    public void forget(String name) throws IOException {
        long line;
        synchronized (this) {
            if (find(name).isEmpty()) {
                return;
            }
            line = write(new JournalLine.Forgotten(name));
        }
        file.sync(line);
    }

    @Override
    public synchronized List<Entry> unfinished() {
        return unfinished.values().stream().map(Known::entry).toList();
    }

    private long write(JournalLine line) throws IOException {
        long number = file.append(line.text());
        apply(line, number);
        return number;
    }

    private void apply(JournalLine line, long number) {
        lines++;
        Known before = unfinished.remove(line.name());
        if (before == null) {
            before = finished.remove(line.name());
        }
        if (line instanceof JournalLine.Begun begun) {
            unfinished.put(line.name(), new Known(begun.entry(), number));
        } else if (line instanceof JournalLine.Finished && before != null) {
            finished.put(line.name(), before);
            forgetOldest();
        }
    }

    private void forgetOldest() {
        Iterator<String> oldest = finished.keySet().iterator();
        while (finished.size() > REMEMBERED && oldest.hasNext()) {
            oldest.next();
            oldest.remove();
        }
    }

    /** That it fails is no reason to fail a call: the file is only longer than it need be. */
    private synchronized void compact() {
        long useful = unfinished.size() + 2L * finished.size();
        if (lines - useful <= USELESS_LINES || lines <= 2 * useful || lines < notBefore) {
            return;
        }
        List<String> kept = new ArrayList<>();
        for (Known known : finished.values()) {
            kept.add(new JournalLine.Begun(known.entry()).text());
            kept.add(new JournalLine.Finished(known.entry().name()).text());
        }
        for (Known known : unfinished.values()) {
            kept.add(new JournalLine.Begun(known.entry()).text());
        }
        try {
            file.replace(kept);
            lines = kept.size();
        } catch (IOException e) {
            notBefore = 2 * lines;
            LOG.log(System.Logger.Level.WARNING, "the journal could not be compacted", e);
        }
    }

    private static void requirePlain(String word) {
        if (word.isEmpty() || word.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("empty, or with control characters: \"" + word + "\"");
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
