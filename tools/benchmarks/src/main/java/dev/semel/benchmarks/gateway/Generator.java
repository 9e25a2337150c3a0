package dev.semel.benchmarks.gateway;

import java.time.Duration;

/** Clients that send payments, each with a new key, one after the other and as fast as they are answered. */
interface Generator {

    /** What the body of each request is; of the usual length of such requests. */
    String BODY = "{\"amount\":4200,\"currency\":\"EUR\",\"order\":\"order-17\","
            + "\"description\":\"a payment of the benchmark of the gateway\"}";

    /**
     * Sends for so long to a port of loopback, on this many connections.
     *
     * @return how many requests were answered with success
     * @throws IllegalStateException when one was not
     */
    long run(int port, String path, int connections, Duration length);
}
