package dev.semel.jdbc.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Fingerprint;
import dev.semel.Intent;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.Scope;
import dev.semel.adapter.Claim;
import dev.semel.engine.SemelEngine;
import dev.semel.testkit.ManualTime;
import dev.semel.testkit.StoreHarness;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a caller asks together")
class GatheredCallsTest {

    private static final int CALLS = 500;

    @Test
    void takes_one_round_trip_to_postgresql_for_all_claims_one_for_all_settlements_and_one_for_all_replays()
            throws Exception {
        check(new PostgresHarness());
    }

    private static void check(StoreHarness opened) {
        try (StoreHarness harness = opened;
                SemelEngine semel =
                        SemelEngine.on(harness.store()).timer(new ManualTime()).build()) {
            long start = harness.roundTrips();
            List<CompletableFuture<Claim>> claims = claimAll(semel);
            long claimed = harness.roundTrips();
            Outcome done = new Outcome.Completed(Response.of("done".getBytes(StandardCharsets.UTF_8)));
            semel.together(() -> claims.forEach(
                    claim -> ((Claim.Granted) claim.join()).attempt().settle(done)));
            long settled = harness.roundTrips();
            List<CompletableFuture<Claim>> again = claimAll(semel);

            assertThat(again).allSatisfy(claim -> assertThat(claim.join()).isInstanceOf(Claim.Recorded.class));
            assertThat(claimed - start).as("claims").isEqualTo(1);
            assertThat(settled - claimed).as("settlements").isEqualTo(1);
            assertThat(harness.roundTrips() - settled).as("replays").isEqualTo(1);
        }
    }

    private static List<CompletableFuture<Claim>> claimAll(SemelEngine semel) {
        List<CompletableFuture<Claim>> claims = new ArrayList<>();
        semel.together(() -> {
            for (int i = 0; i < CALLS; i++) {
                Intent intent = Intent.of(
                        Operation.named("consume"), Scope.of("orders"), Key.of("m" + i), new Fingerprint("v1:same"));
                claims.add(semel.beginAsync(intent).toCompletableFuture());
            }
        });
        assertThat(claims).allMatch(CompletableFuture::isDone);
        return claims;
    }
}
