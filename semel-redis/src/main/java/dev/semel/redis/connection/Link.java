package dev.semel.redis.connection;

import dev.semel.StoreException;
import dev.semel.redis.uri.RedisUri;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The connection to Redis that all callers share; commands are pipelined on it.
 *
 * <ol>
 *   <li>While disconnected, every call fails at once; the connection is restored in the background.
 *   <li>A call without a reply in time fails, and its write may have happened: no command is sent twice.
 *   <li>After a timeout every server is probed. If one does not reply to the probe either, a new connection replaces this one,
 *       since its other end may be gone without having closed it. So does a connection to a server that has become a replica.
 * </ol>
 */
public final class Link implements ScriptRunner, AutoCloseable {

    private static final System.Logger LOG = System.getLogger("dev.semel.redis");

    /** Between attempts at a first connection: short enough to use a started server soon, and no load on the network. */
    private static final Duration RECONNECT_DELAY = Duration.ofSeconds(1);

    private final RedisUri uri;
    private final Connector connector;
    private final CallbackExecutor callbacks = new CallbackExecutor();
    private final AtomicBoolean probing = new AtomicBoolean();
    private volatile Connector.@Nullable Connection connection;
    private volatile boolean closed;

    private Link(RedisUri uri, Connector connector, Connector.@Nullable Connection connection) {
        this.uri = uri;
        this.connector = connector;
        this.connection = connection;
    }

    /**
     * Connects to Redis.
     *
     * @throws StoreException when Redis cannot be reached
     */
    public static Link open(RedisUri uri) {
        Connector connector = new Connector(uri, uri.options().timeout());
        try {
            return new Link(
                    uri,
                    connector,
                    connector.connect().toCompletableFuture().join().withServers(uri));
        } catch (RuntimeException e) {
            connector.close();
            throw RedisFaults.ofStart(uri, e);
        }
    }

    /**
     * Opens a link that needs no reachable Redis: it waits for one attempt to connect, and repeats the attempt in the
     * background. Until one succeeds, every call fails at once.
     *
     * @param timeout how long to wait for a reply
     */
    public static Link connecting(RedisUri uri, Duration timeout) {
        Link link = new Link(uri, new Connector(uri, timeout), null);
        CountDownLatch attempted = new CountDownLatch(1);
        link.connectFirst(attempted::countDown);
        try {
            // Connected or not: the attempts go on in the background.
            boolean unused = attempted.await(uri.options().timeout().toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return link;
    }

    /** Attempts to connect, and repeats it after a delay until one attempt succeeds. */
    private void connectFirst(Runnable afterAttempt) {
        connect().whenComplete((made, failure) -> {
            if (made != null) {
                use(made);
            } else if (!closed) {
                connector.schedule(RECONNECT_DELAY, () -> callbacks.execute(() -> connectFirst(() -> {})));
            }
            afterAttempt.run();
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
            callbacks.execute(old.stateful()::close);
        }
        if (closed) {
            callbacks.execute(made.stateful()::close);
        }
    }

    public RedisUri uri() {
        return uri;
    }

    Connector connector() {
        return connector;
    }

    /** Runs code that must not block the thread that reads from Redis. */
    Executor callbacks() {
        return callbacks;
    }

    /** Returns the server that owns a slot of a cluster; null where none is known. */
    RedisUri.@Nullable Node serverOf(int slot) {
        Connector.Connection current = connection;
        return current == null ? null : current.serverOf(slot);
    }

    /** Sends a command; the stage completes with the decoded reply. */
    public <R, T> CompletionStage<T> call(
            Function<RedisClusterAsyncCommands<byte[], byte[]>, RedisFuture<R>> command, Function<R, T> decoder) {
        DecodingListener<R, T> listener = decoding(decoder);
        send(command).whenComplete((reply, failure) -> deliver(listener, reply, failure));
        return listener.result();
    }

    /**
     * Sends a command whose reply is not needed.
     *
     * @param onEnd runs when the command has succeeded or failed; it must not block
     */
    public <R> void post(Function<RedisClusterAsyncCommands<byte[], byte[]>, RedisFuture<R>> command, Runnable onEnd) {
        send(command).whenComplete((reply, failure) -> {
            onEnd.run();
            if (failure != null) {
                probeAfter(failure);
            }
        });
    }

    @Override
    public Link link() {
        return this;
    }

    /** Returns a listener that decodes a reply, and completes a stage with it. */
    public <R, T> DecodingListener<R, T> decoding(Function<R, T> decoder) {
        return new DecodingListener<>(uri, decoder, callbacks);
    }

    @Override
    public <R> void run(
            Script script, ScriptOutputType type, byte[][] keys, byte[][] arguments, ReplyListener<R> listener) {
        CompletionStage<R> sent = send(commands -> commands.evalsha(script.digest(), type, keys, arguments));
        sent.whenComplete((reply, failure) -> {
            if (failure != null && RedisFaults.unwrapped(failure) instanceof RedisNoScriptException) {
                // A new server, or one whose scripts were flushed: it caches the script that is sent as a text.
                CompletionStage<R> again = send(commands -> commands.eval(script.text(), type, keys, arguments));
                again.whenComplete((late, fault) -> deliver(listener, late, fault));
            } else {
                deliver(listener, reply, failure);
            }
        });
    }

    private <R> void deliver(ReplyListener<R> listener, R reply, @Nullable Throwable failure) {
        if (failure == null) {
            listener.onReply(reply);
        } else {
            listener.onFailure(fault(failure));
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

    /** Returns the exception for a failed call; a timeout also starts a probe of the connection. */
    public StoreException fault(Throwable failure) {
        if (closed) {
            return new StoreException("this store is closed");
        }
        probeAfter(failure);
        return RedisFaults.of(uri, failure);
    }

    private void probeAfter(Throwable failure) {
        Throwable cause = RedisFaults.unwrapped(failure);
        boolean replica = RedisFaults.isReplica(cause);
        Connector.Connection suspect = connection;
        if (suspect != null && (replica || RedisFaults.isTimeout(cause)) && probing.compareAndSet(false, true)) {
            callbacks.execute(() -> replaceIfUnusable(replica, suspect));
        }
    }

    private void replaceIfUnusable(boolean replica, Connector.Connection suspect) {
        try {
            if (!closed && (replica || suspect.isUnresponsive(uri))) {
                use(connector.connect().toCompletableFuture().join().withServers(uri));
            }
        } catch (CompletionException | RedisException notYet) {
            // The next timeout starts the next probe.
            LOG.log(System.Logger.Level.DEBUG, "no new connection to Redis yet", notYet);
        } finally {
            probing.set(false);
        }
    }

    /** Returns the commands of each server that takes writes, by the server's name; empty while disconnected. */
    public Map<String, RedisClusterAsyncCommands<byte[], byte[]>> servers() {
        Connector.Connection current = connection;
        return current == null ? Map.of() : current.servers(uri);
    }

    /** Waits for a reply. */
    public <T> T await(CompletionStage<T> stage) {
        try {
            CompletableFuture<T> future = stage.toCompletableFuture();
            return future.join();
        } catch (CompletionException e) {
            throw RedisFaults.of(uri, e);
        }
    }

    /** Closes the connection, and ends the threads that served it. */
    @Override
    public void close() {
        closed = true;
        connector.close();
        callbacks.close();
    }
}
