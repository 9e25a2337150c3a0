package dev.semel.redis.connection;

import dev.semel.StoreException;

/** Receives one reply of Redis, on the thread that reads from the connection. Implementations must not block. */
public interface ReplyListener<R> {

    void onReply(R reply);

    void onFailure(StoreException fault);
}
