package dev.semel.redis;

import dev.semel.StoreException;

/** Who hears what Redis replied, on the thread that reads from it: nobody may hold it up. */
interface Listener<R> {

    void heard(R reply);

    void failed(StoreException fault);
}
