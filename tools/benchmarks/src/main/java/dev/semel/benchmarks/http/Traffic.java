package dev.semel.benchmarks.http;

/** What the clients of a measurement send. */
enum Traffic {
    /** Each request has a key of its own. */
    NEW("new keys") {
        @Override
        long key(long request) {
            return request;
        }
    },
    /** Requests that were answered before the measurement began. */
    REPLAYS("replays") {
        @Override
        long key(long request) {
            return request % Traffic.COMPLETED;
        }
    },
    /** Every tenth request repeats the one before it. */
    DUPLICATES("10 % duplicates") {
        @Override
        long key(long request) {
            return request % 10 == 9 ? request - 1 : request;
        }
    };

    /** How many keys each client completes before replays are measured. */
    static final int COMPLETED = 8;

    private final String label;

    Traffic(String label) {
        this.label = label;
    }

    String label() {
        return label;
    }

    /** The number of the key that a client's request with this number carries. */
    abstract long key(long request);
}
