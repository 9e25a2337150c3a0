package dev.semel.redis;

import dev.semel.Lease;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.engine.Store;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.testkit.contract.StoreVerbs;
import dev.semel.testsupport.servers.RedisServer;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.awaitility.Awaitility;

/** Short forms of a store's verbs, for tests of faults. */
public final class Calls {

    /** Far longer than any condition takes, also while other tests load the machine. */
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private Calls() {}

    public static Lease granted(Store store, ClaimRequest request) {
        ClaimAnswer answer = StoreVerbs.await(store.claim(request));
        if (answer instanceof ClaimAnswer.Granted granted) {
            return granted.lease();
        }
        throw new AssertionError("expected the claim to be granted, but got " + answer);
    }

    public static Lease granted(Store store, String key) {
        return granted(store, StoreVerbs.request(key));
    }

    public static SettleAnswer complete(Store store, Lease lease) {
        return StoreVerbs.await(completion(store, lease));
    }

    public static CompletionStage<SettleAnswer> completion(Store store, Lease lease) {
        return store.settle(lease, StoreVerbs.completed("done"), StoreVerbs.RETENTION);
    }

    public static State stateOf(Store store, String key) {
        return StoreVerbs.await(store.find(StoreVerbs.id(key))).orElseThrow().state();
    }

    /** Returns the fault that a call fails with. */
    public static StoreException faultOf(Supplier<? extends CompletionStage<?>> call) {
        try {
            Object answer = StoreVerbs.await(call.get());
            throw new AssertionError("expected a fault, but got " + answer);
        } catch (CompletionException e) {
            if (e.getCause() instanceof StoreException fault) {
                return fault;
            }
            throw e;
        }
    }

    /** Waits until calls succeed again. */
    public static void awaitAnswers(Store store) {
        Awaitility.await().atMost(TIMEOUT).ignoreExceptions().until(() -> {
            StoreVerbs.await(store.find(StoreVerbs.id("absent")));
            return true;
        });
    }

    public static void await(String what, Callable<Boolean> condition) {
        Awaitility.await(what).atMost(TIMEOUT).until(condition);
    }

    /** Waits until a server's replica has received all writes. */
    public static void awaitReplicated(RedisServer server) {
        await("replication", () -> {
            String offset = server.info("replication", "master_repl_offset");
            return server.info("replication", "slave0").contains("offset=" + offset + ",");
        });
    }

    /** Returns how many calls of a command the server has counted. */
    public static long count(RedisServer server, String command) {
        String stat = server.info("commandstats", "cmdstat_" + command);
        return stat.isEmpty() ? 0 : Long.parseLong(stat.substring("calls=".length(), stat.indexOf(',')));
    }
}
