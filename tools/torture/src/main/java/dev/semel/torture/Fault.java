package dev.semel.torture;

import dev.semel.testsupport.stores.FaultyStore;
import dev.semel.testsupport.stores.FaultyStore.Verb;
import dev.semel.torture.crash.CrashPoint;
import java.time.Duration;

/** Something that gets broken; applications are numbered from zero. */
sealed interface Fault {

    /** The process is killed, and started again. */
    record Kill(int app) implements Fault {}

    /** The process halts when it next comes to the point, and is started again. */
    record HaltAt(int app, CrashPoint point) implements Fault {}

    /** The process is stopped for longer than a lease. */
    record Stop(int app, Duration length) implements Fault {}

    /** The process is stopped when it next comes to the point. */
    record StopAt(int app, CrashPoint point, Duration length) implements Fault {}

    /** The process's next call of this verb fails: before it was written, or after. */
    record FailVerb(int app, Verb verb, FaultyStore.Fault how) implements Fault {}

    /** The store stands still: a server that is stopped, a file that is locked. */
    record PauseStore(Duration length) implements Fault {}

    /** The server is killed, and started again on the same files. */
    record KillStore(Duration length) implements Fault {}

    /** A part of the store moves from one server to another. */
    record MoveShard(int number) implements Fault {}

    /** What stands in front of the store forgets everything. */
    record FlushFront() implements Fault {}

    /** What stands in front of the store holds what does not belong there. */
    record PoisonFront(int seed) implements Fault {}

    /** What stands in front of the store stands still. */
    record PauseFront(Duration length) implements Fault {}

    /** What stands in front of the store is killed, and started again. */
    record KillFront(Duration length) implements Fault {}

    /** The process's connections are reset. */
    record DropConnections(int app) implements Fault {}

    /** The process cannot connect. */
    record RefuseConnections(int app, Duration length) implements Fault {}

    /** Nothing passes between the process and its server. */
    record StallConnections(int app, Duration length) implements Fault {}

    /** The connection is reset in the middle of an answer. */
    record CutConnection(int app, int bytes) implements Fault {}

    /** A transaction is committed, and its connection reset before the process gets the confirmation. */
    record LoseCommit(int app) implements Fault {}
}
