package dev.semel.redis;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Intent;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.RefusedException;
import dev.semel.Scope;
import dev.semel.StoreException;
import dev.semel.engine.SemelEngine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One of several application processes that share a store. It executes until its standard input is closed. It appends every
 * effect to a ledger and every answer to another file, as lines of a key and a receipt.
 */
final class ClusterWorker {

    private static final int THREADS = 4;

    /** How long a key is the newest: all processes use the same keys at the same time. */
    private static final int MILLIS_OF_A_KEY = 20;

    private static final int RECENT = 8;

    private static final int MOST_STARTS = 100;

    private final SemelEngine semel;
    private final FileChannel ledger;
    private final FileChannel answers;
    private final AtomicInteger receipts = new AtomicInteger();
    private volatile boolean ended;

    private ClusterWorker(SemelEngine semel, FileChannel ledger, FileChannel answers) {
        this.semel = semel;
        this.ledger = ledger;
        this.answers = answers;
    }

    /** Arguments: the store's URI, the ledger, and the file for answers. */
    public static void main(String[] arguments) throws Exception {
        try (SemelEngine semel = start(arguments[0]);
                FileChannel ledger = append(arguments[1]);
                FileChannel answers = append(arguments[2])) {
            new ClusterWorker(semel, ledger, answers).run();
        }
    }

    /** Starts an engine, again where the cluster is just moving a slot. */
    private static SemelEngine start(String uri) {
        StoreException last = null;
        for (int tries = 0; tries < MOST_STARTS; tries++) {
            RedisStore store = RedisStore.open(uri);
            try {
                return SemelEngine.on(store).build();
            } catch (StoreException e) {
                store.close();
                last = e;
            }
        }
        throw new StoreException("the cluster does not answer", last);
    }

    private static FileChannel append(String file) throws IOException {
        return FileChannel.open(Path.of(file), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private void run() throws Exception {
        Thread[] threads = new Thread[THREADS];
        for (int i = 0; i < THREADS; i++) {
            threads[i] = new Thread(this::work);
            threads[i].start();
        }
        while (System.in.read() >= 0) {
            // The parent writes nothing: it closes the stream, or exits.
        }
        ended = true;
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private void work() {
        while (!ended) {
            long newest = System.currentTimeMillis() / MILLIS_OF_A_KEY;
            String key = "k" + (newest - ThreadLocalRandom.current().nextInt(RECENT));
            try {
                Execution<String> execution = semel.execute(intent(key), Codec.text(), attempt -> effect(key));
                write(answers, key, execution.orThrow());
            } catch (StoreException | RefusedException retried) {
                // As a client does: the same key is used again later.
                Thread.onSpinWait();
            }
        }
    }

    private static Intent intent(String key) {
        return Intent.of(Operation.named("charge"), Scope.of("acme"), Key.of(key), new Fingerprint("v1:" + key));
    }

    private String effect(String key) {
        String receipt = ProcessHandle.current().pid() + "-" + receipts.incrementAndGet();
        write(ledger, key, receipt);
        return receipt;
    }

    /** Appends with one write, so that lines of different processes do not mix. */
    private static void write(FileChannel file, String key, String receipt) {
        try {
            file.write(ByteBuffer.wrap((key + " " + receipt + "\n").getBytes(StandardCharsets.US_ASCII)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
