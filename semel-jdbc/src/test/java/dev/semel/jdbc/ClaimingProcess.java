package dev.semel.jdbc;

import dev.semel.engine.Store;
import dev.semel.jdbc.testing.ChildProcess;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.testkit.contract.StoreVerbs;

/** A process that claims and completes every key of a range, and prints those that it was granted. */
final class ClaimingProcess {

    private ClaimingProcess() {}

    public static void main(String[] arguments) throws Exception {
        int keys = Integer.parseInt(arguments[1]);
        try (Store store = Stores.open(arguments[0])) {
            ChildProcess.serve(() -> {
                for (int key = 0; key < keys; key++) {
                    ClaimAnswer answer = StoreVerbs.await(store.claim(StoreVerbs.request("key-" + key)));
                    if (answer instanceof ClaimAnswer.Granted granted) {
                        StoreVerbs.await(
                                store.settle(granted.lease(), StoreVerbs.completed("done"), StoreVerbs.RETENTION));
                        System.out.println("key-" + key);
                    }
                }
            });
        }
    }
}
