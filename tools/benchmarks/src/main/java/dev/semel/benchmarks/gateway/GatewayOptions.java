package dev.semel.benchmarks.gateway;

import java.time.Duration;
import java.util.Map;

/**
 * How the suite runs.
 *
 * @param connections how many clients send at once
 * @param warmUp how long each side is warmed up, before the first round
 * @param round how long a side is measured at a time
 * @param rounds how often each side is measured
 * @param idle how many connections are held that do nothing
 * @param slow how many clients are held that send a byte now and then
 * @param stores further stores for protected requests: what each is called, and its URI
 * @param programs whether {@code wrk} and {@code h2load} make the load where they are installed, and not this process
 */
record GatewayOptions(
        int connections,
        Duration warmUp,
        Duration round,
        int rounds,
        int idle,
        int slow,
        Map<String, String> stores,
        boolean programs) {

    GatewayOptions {
        stores = Map.copyOf(stores);
    }
}
