package dev.semel.client;

/** The body of a response that was judged before anybody read it. */
sealed interface Judged<T> {

    /** Whether the server says that it had recorded this response. */
    boolean replayed();

    record Final<T>(T body, boolean replayed) implements Judged<T> {}

    record NotYet<T>(Reply reply) implements Judged<T> {

        @Override
        public boolean replayed() {
            return reply.replayed();
        }
    }
}
