package dev.semel.testkit;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("Two reconcilers on one store in memory")
@Timeout(120)
class ReconcilerScenarioTest {

    @Test
    @DisplayName("resolve each of 10,000 unknown records once, and skip none")
    void in_memory() throws Exception {
        try (StoreHarness harness = new MemoryHarness()) {
            ReconcilerScenario.twoShareTheWork(harness, 10_000);
        }
    }
}
