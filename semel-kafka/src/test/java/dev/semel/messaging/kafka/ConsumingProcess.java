package dev.semel.messaging.kafka;

import dev.semel.Failures;
import dev.semel.Operation;
import dev.semel.engine.Event;
import dev.semel.engine.SemelEngine;
import dev.semel.jdbc.StoreUri;
import dev.semel.jdbc.postgresql.PostgresStore;
import dev.semel.messaging.TestDatabases;
import dev.semel.messaging.brokers.EffectTable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/** A member of a consumer group in a separate process, which the test kills. */
final class ConsumingProcess implements AutoCloseable {

    /** Short, so that a test does not wait long after a kill; long enough for a busy machine to renew it. */
    static final Operation CONSUME =
            Operation.named("consume").lease(Duration.ofSeconds(8)).failures(Failures.RETRY);

    /** How effects are recorded, and where the process ends itself. */
    enum Mode {
        TOGETHER,
        IN_TRANSACTION,
        /** Ends between the effect and its record. */
        HALT_AFTER_EFFECT,
        /** Ends between the record and the offset. */
        HALT_AFTER_RECORD
    }

    private final Process process;

    private ConsumingProcess(Process process) {
        this.process = process;
    }

    static ConsumingProcess start(Mode mode, String topic, StoreUri.Postgresql database, int batch) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dslf4j.internal.verbosity=ERROR",
                "-cp",
                System.getProperty("java.class.path"),
                ConsumingProcess.class.getName(),
                mode.name(),
                KafkaServer.servers(),
                topic,
                database.toString(),
                String.valueOf(batch)));
        return new ConsumingProcess(new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** Ends the process as a power failure would: no shutdown hook runs. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor(1, TimeUnit.MINUTES);
    }

    boolean hasEnded() {
        return !process.isAlive();
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }

    public static void main(String[] arguments) {
        Mode mode = Mode.valueOf(arguments[0]);
        Map<String, Object> properties = new HashMap<>(KafkaServer.consumer(arguments[1], "group-of-" + arguments[2]));
        properties.put("max.poll.records", arguments[4]);
        StoreUri.Postgresql database = (StoreUri.Postgresql) StoreUri.parse(arguments[3]);
        DataSource dataSource = TestDatabases.pool(database);
        SemelEngine semel = SemelEngine.on(new PostgresStore(TestDatabases.pool(database)))
                .listener(event -> {
                    if (mode == Mode.HALT_AFTER_RECORD && event instanceof Event.Settled) {
                        Runtime.getRuntime().halt(1);
                    }
                })
                .build();
        KafkaInboxBuilder inbox =
                KafkaInbox.of(semel, properties).topics(arguments[2]).operation(CONSUME);
        if (mode == Mode.IN_TRANSACTION) {
            inbox.inTransaction(
                    dataSource,
                    (connection, message, attempt) ->
                            EffectTable.insert(connection, KafkaServer.text(message.value())));
        } else {
            EffectTable effects = new EffectTable(dataSource);
            inbox.handler((message, attempt) -> {
                effects.insert(KafkaServer.text(message.value()));
                if (mode == Mode.HALT_AFTER_EFFECT) {
                    Runtime.getRuntime().halt(1);
                }
            });
        }
        endWithParent();
        inbox.build().run();
        System.exit(1);
    }

    private static void endWithParent() {
        Thread watch = new Thread(() -> {
            try {
                while (System.in.read() >= 0) {
                    continue;
                }
            } catch (IOException e) {
                System.err.println(e);
            }
            Runtime.getRuntime().halt(1);
        });
        watch.setDaemon(true);
        watch.start();
    }
}
