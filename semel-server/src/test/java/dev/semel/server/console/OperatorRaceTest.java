package dev.semel.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Intent;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.adapter.Claim;
import dev.semel.adapter.RunningAttempt.Settlement;
import dev.semel.admin.AdminApi;
import dev.semel.admin.access.AdminRequest;
import dev.semel.admin.access.AdminResponse;
import dev.semel.admin.access.Authenticator;
import dev.semel.engine.SemelEngine;
import dev.semel.http.Body;
import dev.semel.http.Headers;
import dev.semel.http.RecordedResponse;
import dev.semel.jdbc.Stores;
import dev.semel.testsupport.servers.MariadbServer;
import dev.semel.testsupport.servers.PostgresServer;
import dev.semel.testsupport.servers.RedisServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Clients claim and settle few keys while people forget and settle the same records through the admin API of another process
 * on the store. A ledger of its own counts: each execution but the first of a key has to be one that a person allowed.
 */
@DisplayName("People who forget and settle while clients claim")
final class OperatorRaceTest {

    private static final Operation PAY = Operation.named("create-payment");
    private static final List<String> KEYS = List.of("a", "b", "c");
    private static final int ENOUGH = 20;
    private static final int MOST_CLAIMS = 100_000;
    private static final int CLIENTS = 3;
    private static final long SEED = 19;

    enum Kind {
        SQLITE,
        POSTGRESQL,
        MARIADB,
        REDIS
    }

    @TempDir
    Path folder;

    /** What happened, apart from the store. */
    private static final class Ledger {

        final ConcurrentHashMap<String, NavigableSet<Long>> executed = new ConcurrentHashMap<>();
        final Set<String> released = ConcurrentHashMap.newKeySet();
        final Set<String> ways = ConcurrentHashMap.newKeySet();
        final List<String> faults = Collections.synchronizedList(new ArrayList<>());
        final AtomicInteger forgotten = new AtomicInteger();
        final AtomicInteger settled = new AtomicInteger();

        void executed(String key, long fence) {
            NavigableSet<Long> fences =
                    executed.computeIfAbsent(key, any -> Collections.synchronizedNavigableSet(new TreeSet<>()));
            if (!fences.add(fence)) {
                faults.add("two executions under fence " + fence);
            }
        }

        /** A person allowed another execution after this one; what was released may be forgotten before it executes. */
        void released(String key, long fence, String how) {
            released.add(key + " " + fence);
            if (!ways.add(how + " " + key + " " + fence)) {
                faults.add(how + " twice: " + key + " " + fence);
            }
        }

        boolean isEnough() {
            return forgotten.get() >= ENOUGH && settled.get() >= ENOUGH;
        }

        void assertSound() {
            assertThat(faults).isEmpty();
            executed.forEach((key, fences) -> {
                List<Long> inOrder = List.copyOf(fences);
                assertThat(inOrder.subList(0, inOrder.size() - 1))
                        .as("I1: executions of " + key + " that another one followed")
                        .allMatch(fence -> released.contains(key + " " + fence));
            });
            assertThat(forgotten).hasValueGreaterThanOrEqualTo(ENOUGH);
            assertThat(settled).hasValueGreaterThanOrEqualTo(ENOUGH);
        }
    }

    private static void race(String uri) throws Exception {
        Ledger ledger = new Ledger();
        AtomicInteger running = new AtomicInteger(CLIENTS);
        ExecutorService threads = Executors.newCachedThreadPool();
        try (SemelEngine clients = SemelEngine.on(Stores.open(uri)).build();
                SemelEngine people =
                        SemelEngine.on(Stores.open(uri)).forOperators().build()) {
            AdminApi api = AdminApi.on(people, Authenticator.none("local"))
                    .writes(true)
                    .build();
            List<Callable<Void>> all = new ArrayList<>();
            for (int client = 0; client < CLIENTS; client++) {
                Random random = new Random(SEED + client);
                all.add(() -> {
                    try {
                        claimAndSettle(clients, ledger, random);
                    } finally {
                        running.decrementAndGet();
                    }
                    return null;
                });
            }
            for (int person = 0; person < 2; person++) {
                Random random = new Random(SEED * 31 + person);
                all.add(() -> {
                    while (running.get() > 0) {
                        interfere(people, api, ledger, random);
                    }
                    return null;
                });
            }
            for (Future<Void> done : threads.invokeAll(all)) {
                done.get();
            }
        } finally {
            threads.shutdownNow();
        }
        ledger.assertSound();
    }

    private static void claimAndSettle(SemelEngine semel, Ledger ledger, Random random) {
        for (int i = 0; i < MOST_CLAIMS && !ledger.isEnough(); i++) {
            String key = KEYS.get(random.nextInt(KEYS.size()));
            Identity identity = Identity.of("acme", key);
            Claim claim = semel.begin(Intent.of(PAY, identity.scope(), identity.key(), new Fingerprint("v1:0")));
            if (claim instanceof Claim.Granted granted) {
                long fence = granted.attempt().lease().fence();
                ledger.executed(key, fence);
                Outcome outcome = random.nextInt(3) == 0
                        ? new Outcome.Unknown("timeout")
                        : new Outcome.Completed(response("run " + fence));
                Settlement settlement = granted.attempt().settleAndWait(outcome);
                if (!(settlement instanceof Settlement.Settled)) {
                    ledger.faults.add("the attempt " + key + " " + fence + " was ended by another: " + settlement);
                }
            }
        }
    }

    private static Response response(String body) {
        return RecordedResponse.of(201, Headers.NONE, Body.ofText(body)).toResponse();
    }

    /** Acts on a record as it was seen a moment ago; mostly it has changed since. */
    private static void interfere(SemelEngine people, AdminApi api, Ledger ledger, Random random) {
        String key = KEYS.get(random.nextInt(KEYS.size()));
        people.unknownOutcomes().findSealed(Identity.of("acme", key)).ifPresent(seen -> {
            long fence = seen.fence();
            String named = "{\"scope\":\"acme\",\"key\":\"" + key + "\",\"fence\":" + fence + ",\"reason\":\"r\"";
            switch (random.nextInt(3)) {
                case 0 -> {
                    if (post(api, "/records/forget", named + "}").status() == 200) {
                        ledger.released(key, fence, "forgotten");
                        ledger.forgotten.incrementAndGet();
                    }
                }
                case 1 -> {
                    AdminResponse response = post(api, "/unknown/settle", named + ",\"happened\":false}");
                    if (isNew(response)) {
                        ledger.released(key, fence, "released");
                        ledger.settled.incrementAndGet();
                    }
                }
                default -> {
                    String earlier = named.replace(":" + fence, ":" + (fence - 1)) + "}";
                    if (post(api, "/records/forget", earlier).status() == 200) {
                        ledger.faults.add("forgotten under an earlier fence: " + key + " " + fence);
                    }
                }
            }
        });
    }

    private static boolean isNew(AdminResponse response) {
        return response.status() == 200
                && new String(response.body().bytes(), StandardCharsets.UTF_8).contains("\"already\":false");
    }

    private static AdminResponse post(AdminApi api, String path, String body) {
        return api.handle(new AdminRequest(
                "POST",
                AdminApi.CALLS + path,
                Headers.of("Host", "localhost").with("Content-Type", "application/json"),
                body.getBytes(StandardCharsets.UTF_8),
                "127.0.0.1",
                false));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName(
            "I1, I2: a key executes again only where a person ended the attempt before, and each attempt is ended once")
    void race(Kind kind) throws Exception {
        switch (kind) {
            case SQLITE -> race("sqlite:" + folder.resolve("semel.db"));
            case POSTGRESQL -> race(PostgresServer.shared().newDatabase());
            case MARIADB -> race(MariadbServer.shared().newDatabase());
            case REDIS -> {
                try (RedisServer server = RedisServer.start()) {
                    race(server.uri());
                }
            }
        }
    }
}
