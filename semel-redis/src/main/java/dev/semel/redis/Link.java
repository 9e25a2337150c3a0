package dev.semel.redis;

import dev.semel.StoreException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisServerAsyncCommands;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
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

    private final RedisUri uri;
    private final Connector connector;
    private final Tellers tellers = new Tellers();
    private final AtomicBoolean suspecting = new AtomicBoolean();
    private volatile Connector.Connection connection;
    private volatile boolean closed;

    private Link(RedisUri uri, Connector connector, Connector.Connection connection) {
        this.uri = uri;
        this.connector = connector;
        this.connection = connection;
    }

    /** @throws StoreException when Redis cannot be reached */
    static Link open(RedisUri uri) {
        Connector connector = new Connector(uri);
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
        return connection.serverOf(slot);
    }

    /** One call, for whoever waits or goes on with the answer; it is read on the thread that it arrives on. */
    <R, T> CompletionStage<T> call(
            Function<RedisClusterAsyncCommands<byte[], byte[]>, RedisFuture<R>> command, Function<R, T> reading) {
        Answer<T> answer = new Answer<>(tellers);
        send(command).whenComplete((reply, failure) -> {
            if (failure != null) {
                answer.tellFault(fault(failure));
                return;
            }
            tell(answer, reply, reading);
        });
        return answer;
    }

    @Override
    public <R, T> CompletionStage<T> run(
            Script script, ScriptOutputType type, byte[][] keys, Function<R, T> reading, byte[]... arguments) {
        Answer<T> answer = new Answer<>(tellers);
        RedisFuture<R> sent = send(commands -> commands.evalsha(script.digest(), type, keys, arguments));
        sent.whenComplete((reply, failure) -> {
            if (failure == null) {
                tell(answer, reply, reading);
            } else if (Faults.unwrapped(failure) instanceof RedisNoScriptException) {
                // A new server, or one whose scripts were flushed: with the text it learns the name as well.
                RedisFuture<R> again = send(commands -> commands.eval(script.text(), type, keys, arguments));
                again.whenComplete((late, fault) -> {
                    if (fault == null) {
                        tell(answer, late, reading);
                    } else {
                        answer.tellFault(fault(fault));
                    }
                });
            } else {
                answer.tellFault(fault(failure));
            }
        });
        return answer;
    }

    private <R> RedisFuture<R> send(Function<RedisClusterAsyncCommands<byte[], byte[]>, RedisFuture<R>> command) {
        return command.apply(connection.commands());
    }

    private <R, T> void tell(Answer<T> answer, R reply, Function<R, T> reading) {
        T read;
        try {
            read = reading.apply(reply);
        } catch (RuntimeException e) {
            answer.tellFault(Faults.of(uri, e));
            return;
        }
        answer.tell(read);
    }

    /** What a failed call is told; one that got no answer also raises suspicion against the connection. */
    StoreException fault(Throwable failure) {
        if (closed) {
            return new StoreException("this store is closed");
        }
        Throwable cause = Faults.unwrapped(failure);
        boolean replica = Faults.isReplica(cause);
        if ((replica || Faults.isTimeout(cause)) && suspecting.compareAndSet(false, true)) {
            Connector.Connection suspect = connection;
            tellers.execute(() -> replaceIf(replica, suspect));
        }
        return Faults.of(uri, failure);
    }

    private void replaceIf(boolean replica, Connector.Connection suspect) {
        try {
            if (!closed && (replica || suspect.isSilent(uri))) {
                connection = connector.connect().toCompletableFuture().join().withServers(uri);
                suspect.stateful().close();
                if (closed) {
                    connection.stateful().close();
                }
            }
        } catch (CompletionException | RedisException notYet) {
            // The next call without an answer leads here again.
            LOG.log(System.Logger.Level.DEBUG, "no new connection to Redis yet", notYet);
        } finally {
            suspecting.set(false);
        }
    }

    /** The commands of each server that takes writes, with its name. */
    Map<String, RedisServerAsyncCommands<byte[], byte[]>> servers() {
        return connection.servers(uri);
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
