package dev.semel.server.console;

import dev.semel.admin.Finding;
import dev.semel.jdbc.StoreUri;
import dev.semel.jdbc.doctor.DatabaseDoctor;
import dev.semel.jdbc.doctor.DatabaseFinding;
import dev.semel.redis.doctor.RedisDoctor;
import dev.semel.redis.doctor.RedisFinding;
import dev.semel.redis.uri.RedisUri;
import java.util.List;

/** What the doctor finds about the store of a process that serves requests: its settings, not each byte of a file. */
public final class StoreFindings {

    private StoreFindings() {}

    /**
     * Checks a store.
     *
     * @throws dev.semel.StoreException when it cannot be queried
     */
    public static List<Finding> of(String uri) {
        return RedisUri.isRedis(uri)
                ? RedisDoctor.examine(RedisUri.parse(uri)).stream()
                        .map(StoreFindings::finding)
                        .toList()
                : DatabaseDoctor.examineSettings(StoreUri.parse(uri)).stream()
                        .map(StoreFindings::finding)
                        .toList();
    }

    private static Finding finding(DatabaseFinding found) {
        return switch (found.weight()) {
            case FINE -> Finding.ok(found.what());
            case NOTE -> Finding.note(found.what());
            case UNSAFE -> Finding.unsafe(found.what());
        };
    }

    private static Finding finding(RedisFinding found) {
        String text = found.server() + ": " + found.text();
        return switch (found.weight()) {
            case FINE -> Finding.ok(text);
            case NOTE -> Finding.note(text);
            case UNSAFE, BROKEN -> Finding.unsafe(text);
        };
    }
}
