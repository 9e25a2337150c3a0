package dev.semel.redis;

import dev.semel.StoreException;
import java.util.function.Function;

/** Understands a reply, for whoever waits for the answer. */
record Reading<R, T>(Answer<T> answer, Function<R, T> reading, RedisUri uri) implements Listener<R> {

    @Override
    public void heard(R reply) {
        T read;
        try {
            read = reading.apply(reply);
        } catch (RuntimeException e) {
            failed(Faults.of(uri, e));
            return;
        }
        answer.tell(read);
    }

    @Override
    public void failed(StoreException fault) {
        answer.tellFault(fault);
    }
}
