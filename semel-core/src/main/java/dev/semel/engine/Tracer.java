package dev.semel.engine;

import dev.semel.Identity;
import dev.semel.Refusal;
import dev.semel.State;

/**
 * Follows requests through the system, as OpenTelemetry does.
 *
 * <ol>
 *   <li>Every claim is one {@link OfClaim}, which ends with one of its methods; it has failed when its caller gives up,
 *       whatever the store says later. A grant leads to one {@link OfExecution}.
 *   <li>An execution says where it is to be found. That is kept with the recorded response and passed to every replay.
 *   <li>What is begun on one thread may end on another: a tracer takes the caller's context in {@link #claim}.
 *   <li>All methods are called in the middle of requests, and must not block. What they throw is logged and never breaks
 *       an execution.
 * </ol>
 */
public interface Tracer {

    /** The longest {@link OfExecution#origin}: it is kept with every response. */
    int LONGEST_ORIGIN = 127;

    /** The calling thread asks for the right to execute. */
    OfClaim claim(String operation, Identity identity);

    /** A claim that is not decided yet. */
    interface OfClaim {

        /** The right was granted, and the execution begins. */
        OfExecution granted(long fence);

        /**
         * A recorded response is given again.
         *
         * @param near whether it came from memory
         * @param origin where it was executed, as that execution said; empty when it was not traced, and when the record was
         *     settled on evidence
         */
        void replayed(boolean near, String origin);

        void refused(Refusal refusal);

        /** The claim could not be decided; nothing is executed. */
        void failed(Throwable failure);
    }

    /** An execution under way. */
    interface OfExecution {

        /**
         * Where this execution is to be found, for replays of its response: at most {@value #LONGEST_ORIGIN} ASCII
         * characters, or none for nowhere. Not secret: encryption protects it from being changed, not from being read.
         */
        String origin();

        /** Makes this execution current on the calling thread, until the same thread closes it. */
        Current makeCurrent();

        /**
         * The work has ended, and this is to be recorded. Called once more where an answer comes after the outcome had been
         * given up as unknown.
         *
         * @param failure whether what is recorded is an exception
         */
        void ended(State to, boolean failure);
    }

    /** An execution that is current on a thread. */
    @FunctionalInterface
    interface Current {
        void close();
    }
}
