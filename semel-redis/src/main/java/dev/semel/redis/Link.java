package dev.semel.redis;

import dev.semel.StoreException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The way to Redis: one connection that everybody shares, on which commands follow each other without waiting.
 *
 * <ol>
 *   <li>Without a connection every call fails at once; it is made again in the background.
 *   <li>An answer that does not come in time is a fault, and what it was about may have happened: nothing is sent twice.
 *   <li>After a call without an answer, every server is asked for a sign of life; where there is none either, the connection
 *       is given up for a new one: its other end may have vanished without a word. So is one to a server that has become a
 *       replica.
 * </ol>
 */
final class Link implements Runner, AutoCloseable {

    private static final System.Logger LOG = System.getLogger("dev.semel.redis");

    /** Between tries to connect for the first time: soon enough after a start, and nothing to a server that is not there. */
    private static final Duration RECONNECT = Duration.ofSeconds(1);

    private final RedisUri uri;
    private final Connector connector;
    private final Tellers tellers = new Tellers();
    private final AtomicBoolean suspecting = new AtomicBoolean();
    private volatile Connector.@Nullable Connection connection;
    private volatile boolean closed;

    private Link(RedisUri uri, Connector connector, Connector.@Nullable Connection connection) {
        this.uri = uri;
        this.connector = connector;
        this.connection = connection;
    }

    /** @throws StoreException when Redis cannot be reached */
    static Link open(RedisUri uri) {
        Connector connector = new Connector(uri, uri.options().timeout());
        try {
            return new Link(
                    uri,
                    connector,
                    connector.connect().toCompletableFuture().join().withServers(uri));
        } catch (RuntimeException e) {
            connector.close();
            throw Faults.ofStart(uri, e);
        }
    }

    /**
     * Needs no Redis: if the first try to connect does not succeed, others follow in the background, and until then every
     * call fails at once.
     *
     * @param patience how long to wait for an answer
     */
    static Link connecting(RedisUri uri, Duration patience) {
        Link link = new Link(uri, new Connector(uri, patience), null);
        CompletableFuture<@Nullable Void> tried = new CompletableFuture<>();
        link.connectFirst(() -> tried.complete(null));
        tried.completeOnTimeout(null, uri.options().timeout().toNanos(), TimeUnit.NANOSECONDS)
                .join();
        return link;
    }

    /** One try, after which others are made unless it succeeds. */
    private void connectFirst(Runnable tried) {
        connect().whenComplete((made, failure) -> {
            if (made != null) {
                use(made);
            } else if (!closed) {
                CompletableFuture.delayedExecutor(RECONNECT.toNanos(), TimeUnit.NANOSECONDS, tellers)
                        .execute(() -> connectFirst(() -> {}));
            }
            tried.run();
        });
    }

    private CompletionStage<Connector.Connection> connect() {
        try {
            return connector.connect();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private void use(Connector.Connection made) {
        Connector.Connection old = connection;
        connection = made;
        if (old != null) {
            tellers.execute(old.stateful()::close);
        }
        if (closed) {
            tellers.execute(made.stateful()::close);
        }
    }

    RedisUri uri() {
        return uri;
    }

    Connector connector() {
        return connector;
    }

    /** Where what depends on answers is run. */
    Executor tellers() {
        return tellers;
    }

    /** The server that has a slot of a cluster; null where nobody is known to have it. */
    RedisUri.@Nullable Node serverOf(int slot) {
        Connector.Connection current = connection;
        return current == null ? null : current.serverOf(slot);
    }

    /** One call, for whoever waits or goes on with the answer; it is read on the thread that it arrives on. */
    <R, T> CompletionStage<T> call(
            Function<RedisClusterAsyncCommands<byte[], byte[]>, RedisFuture<R>> command, Function<R, T> reading) {
        Reading<R, T> listener = reading(reading);
        send(command).whenComplete((reply, failure) -> tell(listener, reply, failure));
        return listener.answer();
    }

    /** One call whose answer nobody waits for; says when it is over, on a thread that must not be held up. */
    <R> void post(Function<RedisClusterAsyncCommands<byte[], byte[]>, RedisFuture<R>> command, Runnable over) {
        send(command).whenComplete((reply, failure) -> {
            over.run();
            if (failure != null) {
                suspect(failure);
            }
        });
    }

    @Override
    public Link link() {
        return this;
    }

    /** Hears a reply, and tells whoever waits or goes on with the answer. */
    <R, T> Reading<R, T> reading(Function<R, T> reading) {
        return new Reading<>(new Answer<>(tellers), reading, uri);
    }

    @Override
    public <R> void run(Script script, ScriptOutputType type, byte[][] keys, byte[][] arguments, Listener<R> listener) {
        CompletionStage<R> sent = send(commands -> commands.evalsha(script.digest(), type, keys, arguments));
        sent.whenComplete((reply, failure) -> {
            if (failure != null && Faults.unwrapped(failure) instanceof RedisNoScriptException) {
                // A new server, or one whose scripts were flushed: with the text it learns the name as well.
                CompletionStage<R> again = send(commands -> commands.eval(script.text(), type, keys, arguments));
                again.whenComplete((late, fault) -> tell(listener, late, fault));
            } else {
                tell(listener, reply, failure);
            }
        });
    }

    private <R> void tell(Listener<R> listener, R reply, @Nullable Throwable failure) {
        if (failure == null) {
            listener.heard(reply);
        } else {
            listener.failed(fault(failure));
        }
    }

    private <R> CompletionStage<R> send(Function<RedisClusterAsyncCommands<byte[], byte[]>, RedisFuture<R>> command) {
        Connector.Connection current = connection;
        if (current == null) {
            return CompletableFuture.failedFuture(new RedisConnectionException("not connected yet"));
        }
        try {
            return command.apply(current.commands());
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** What a failed call is told; one that got no answer also raises suspicion against the connection. */
    StoreException fault(Throwable failure) {
        if (closed) {
            return new StoreException("this store is closed");
        }
        suspect(failure);
        return Faults.of(uri, failure);
    }

    /** Looks for a sign of life where there was no answer. */
    private void suspect(Throwable failure) {
        Throwable cause = Faults.unwrapped(failure);
        boolean replica = Faults.isReplica(cause);
        Connector.Connection suspect = connection;
        if (suspect != null && (replica || Faults.isTimeout(cause)) && suspecting.compareAndSet(false, true)) {
            tellers.execute(() -> replaceIf(replica, suspect));
        }
    }

    private void replaceIf(boolean replica, Connector.Connection suspect) {
        try {
            if (!closed && (replica || suspect.isSilent(uri))) {
                use(connector.connect().toCompletableFuture().join().withServers(uri));
            }
        } catch (CompletionException | RedisException notYet) {
            // The next call without an answer leads here again.
            LOG.log(System.Logger.Level.DEBUG, "no new connection to Redis yet", notYet);
        } finally {
            suspecting.set(false);
        }
    }

    /** The commands of each server that takes writes, with its name; none without a connection. */
    Map<String, RedisClusterAsyncCommands<byte[], byte[]>> servers() {
        Connector.Connection current = connection;
        return current == null ? Map.of() : current.servers(uri);
    }

    /** Waits for an answer. */
    <T> T await(CompletionStage<T> stage) {
        try {
            CompletableFuture<T> future = stage.toCompletableFuture();
            return future.join();
        } catch (CompletionException e) {
            throw Faults.of(uri, e);
        }
    }

    @Override
    public void close() {
        closed = true;
        connector.close();
        tellers.close();
    }
}
