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
 * A journal in a file, which one process at a time can open.
 *
 * <p>Every change is one line, synced to disk before the call returns; concurrent calls share a sync. The journal keeps all
 * unfinished intents and the last 10,000 finished ones, and rewrites the file when most of its lines are obsolete. It contains
 * names, keys, digests and times of intents, and no part of the requests.
 */
public final class FileIntentJournal implements IntentJournal, AutoCloseable {

    private static final System.Logger LOG = System.getLogger("dev.semel.client");

    /** More than a program finishes between an answer and its own record of it; about 3 MB. */
    private static final int MAX_FINISHED = 10_000;

    /** With fewer obsolete lines than this, the file is not rewritten. */
    private static final int MAX_OBSOLETE_LINES = 10_000;

    /** A recorded intent, with the number of its line. */
    private record Recorded(Entry entry, long line) {}

    private final JournalFile file;
    private final Map<String, Recorded> unfinished = new LinkedHashMap<>();
    private final Map<String, Recorded> finished = new LinkedHashMap<>();
    private long lines;

    /** After a failed rewrite, the next one is tried at this number of lines. */
    private long notBefore;

    private FileIntentJournal(JournalFile file) {
        this.file = file;
    }

    /**
     * Opens a journal, or creates it. An incomplete last line, which a crash can leave, is removed.
     *
     * @param path of the file; a lock file with the suffix {@code .lock} is created beside it
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
        Recorded recorded = unfinished.getOrDefault(name, finished.get(name));
        return Optional.ofNullable(recorded).map(Recorded::entry);
    }

    @Override
    public Begun begin(Entry proposed) throws IOException {
        requirePlain(proposed.name());
        requirePlain(proposed.key());
        requirePlain(proposed.digest());
        Recorded recorded;
        boolean first;
        synchronized (this) {
            Optional<Entry> found = find(proposed.name());
            first = found.isEmpty();
            if (!unfinished.containsKey(proposed.name())) {
                write(new JournalLine.Begun(found.orElse(proposed)));
            }
            recorded = recorded(proposed.name());
        }
        file.sync(recorded.line());
        return new Begun(recorded.entry(), first);
    }

    private Recorded recorded(String name) {
        Recorded recorded = unfinished.get(name);
        if (recorded == null) {
            throw new IllegalStateException("an intent that was just recorded is missing: " + name);
        }
        return recorded;
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
        return unfinished.values().stream().map(Recorded::entry).toList();
    }

    private long write(JournalLine line) throws IOException {
        long number = file.append(line.text());
        apply(line, number);
        return number;
    }

    private void apply(JournalLine line, long number) {
        lines++;
        Recorded before = unfinished.remove(line.name());
        if (before == null) {
            before = finished.remove(line.name());
        }
        if (line instanceof JournalLine.Begun begun) {
            unfinished.put(line.name(), new Recorded(begun.entry(), number));
        } else if (line instanceof JournalLine.Finished && before != null) {
            finished.put(line.name(), before);
            removeOldest();
        }
    }

    private void removeOldest() {
        Iterator<String> oldest = finished.keySet().iterator();
        while (finished.size() > MAX_FINISHED && oldest.hasNext()) {
            oldest.next();
            oldest.remove();
        }
    }

    /** Rewrites the file without obsolete lines. A failure is only logged: the file stays longer than necessary. */
    private synchronized void compact() {
        long needed = unfinished.size() + 2L * finished.size();
        if (lines - needed <= MAX_OBSOLETE_LINES || lines <= 2 * needed || lines < notBefore) {
            return;
        }
        List<String> kept = new ArrayList<>();
        for (Recorded recorded : finished.values()) {
            kept.add(new JournalLine.Begun(recorded.entry()).text());
            kept.add(new JournalLine.Finished(recorded.entry().name()).text());
        }
        for (Recorded recorded : unfinished.values()) {
            kept.add(new JournalLine.Begun(recorded.entry()).text());
        }
        try {
            file.replace(kept);
            lines = kept.size();
        } catch (IOException e) {
            notBefore = 2 * lines;
            LOG.log(
                    System.Logger.Level.WARNING,
                    "the journal could not be rewritten; it stays longer than necessary",
                    e);
        }
    }

    private static void requirePlain(String word) {
        if (word.isEmpty() || word.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(
                    "a name or key of an intent must not be empty or contain control characters: \"" + word + "\"");
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
