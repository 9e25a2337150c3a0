package dev.semel.benchmarks.gateway;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * What a process holds.
 *
 * @param heap bytes in use on the heap, after a collection
 * @param resident bytes of memory that the system counts for the process; 0 where it does not say
 * @param descriptors open files and sockets; 0 where the system does not say
 */
record Usage(long heap, long resident, long threads, long descriptors) {

    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    /** Measures this process, after a collection. */
    static Usage now() throws IOException {
        ManagementFactory.getMemoryMXBean().gc();
        return new Usage(
                ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
                residentBytes(),
                ManagementFactory.getThreadMXBean().getThreadCount(),
                openDescriptors());
    }

    private static long residentBytes() throws IOException {
        if (!Files.exists(STATUS)) {
            return 0;
        }
        for (String line : Files.readAllLines(STATUS)) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
            }
        }
        return 0;
    }

    private static long openDescriptors() throws IOException {
        if (!Files.exists(DESCRIPTORS)) {
            return 0;
        }
        try (Stream<Path> open = Files.list(DESCRIPTORS)) {
            return open.count();
        }
    }

    /** One line for the process that asked. */
    String toLine() {
        return heap + " " + resident + " " + threads + " " + descriptors;
    }

    static Usage ofLine(String line) {
        String[] figures = line.split(" ", -1);
        return new Usage(
                Long.parseLong(figures[0]),
                Long.parseLong(figures[1]),
                Long.parseLong(figures[2]),
                Long.parseLong(figures[3]));
    }
}
