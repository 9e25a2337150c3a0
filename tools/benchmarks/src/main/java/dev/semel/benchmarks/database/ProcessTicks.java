package dev.semel.benchmarks.database;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The processor time of a process and its children, also of those that have ended, as Linux counts it. */
final class ProcessTicks {

    private static final long NANOS_PER_TICK = 10_000_000;

    /** In {@code /proc/PID/stat}, counted behind the name: time in user and kernel mode, then that of ended children. */
    private static final int FIRST = 11;

    private static final int OWN = 2;
    private static final int WITH_ENDED_CHILDREN = 4;

    private ProcessTicks() {}

    static long ofFamily(ProcessHandle parent) {
        try (Stream<ProcessHandle> children = parent.children()) {
            return ticks(parent, WITH_ENDED_CHILDREN) * NANOS_PER_TICK
                    + children.mapToLong(child -> ticks(child, OWN)).sum() * NANOS_PER_TICK;
        }
    }

    private static long ticks(ProcessHandle process, int fields) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
            String[] behindName = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            long ticks = 0;
            for (int field = FIRST; field < FIRST + fields; field++) {
                ticks += Long.parseLong(behindName[field]);
            }
            return ticks;
        } catch (IOException e) {
            if (!process.isAlive()) {
                return 0;
            }
            throw new UncheckedIOException(e);
        }
    }
}
