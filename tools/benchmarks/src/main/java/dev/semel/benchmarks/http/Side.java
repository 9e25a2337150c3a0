package dev.semel.benchmarks.http;

import dev.semel.benchmarks.database.ServerClock;
import java.time.Duration;
import java.util.List;

/**
 * One way of protecting the endpoint, with the processes that a request goes through.
 *
 * @param processes the one that clients connect to first
 * @param database the clock of its database server
 */
record Side(String name, List<ServerProcess> processes, ServerClock database) {

    Side {
        processes = List.copyOf(processes);
    }

    int port() {
        return processes.get(0).port();
    }

    /** Has stores in memory drop their records, which would fill the heap. */
    void forget() {
        processes.forEach(ServerProcess::forget);
    }

    /** The processor time used until now, in microseconds. */
    HttpLoad.Cost used() {
        long server = processes.stream()
                .map(ServerProcess::processorTime)
                .mapToLong(Duration::toNanos)
                .sum();
        return new HttpLoad.Cost(server / 1e3, database.nanos() / 1e3);
    }
}
