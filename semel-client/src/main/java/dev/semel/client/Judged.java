package dev.semel.client;

/** The body of a judged response. */
sealed interface Judged<T> {

    /** Whether the server marks this as a recorded response. */
    boolean replayed();

    record Final<T>(T body, Reply reply) implements Judged<T> {

        @Override
        public boolean replayed() {
            return reply.replayed();
        }
    }

    record NotYet<T>(Reply reply) implements Judged<T> {

        @Override
        public boolean replayed() {
            return reply.replayed();
        }
    }
}
