package dev.semel.http.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Identity;
import dev.semel.Intent.ReplayCheck;
import dev.semel.OutcomeUnknownException;
import dev.semel.State;
import dev.semel.http.RefusedReplay;
import dev.semel.http.RequestView;
import dev.semel.http.key.ScopeStrategy;
import dev.semel.reconcile.AuditEntry;
import dev.semel.testsupport.http.Wire;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Two accounts of a tenant and one of another, with the role, without it, and after it was revoked, at both endpoints that can
 * show a recorded response.
 */
public interface ReplayAuthorizationContract extends OnTransport {

    /** In every header and body that is on record, and in no answer to a caller who may not have it. */
    String SECRET = "SECRET-7";

    /** A service whose payments are for those who have the role, now. */
    final class Roles implements AutoCloseable {

        final Set<String> holders = ConcurrentHashMap.newKeySet();
        final CountDownLatch started = new CountDownLatch(1);
        final CountDownLatch finish = new CountDownLatch(1);
        final ContractServer server;

        /** Replaces the check. */
        volatile ReplayCheck check = ReplayCheck.of(replay -> {
            assertThat(replay.request(RequestView.class)).isPresent();
            return has(replay.principal());
        });

        private final ContractServer.Transport transport;

        private Roles(ContractServer.Transport transport, ContractServer.Settings settings, RefusedReplay refused) {
            this.transport = transport;
            holders.addAll(Set.of("alice", "bob", "carol"));
            server = settings.scopes(ScopeStrategy.fromHeader("X-Tenant"))
                    .gate(gate -> gate.replayCheck(replay -> check.mayReplay(replay)))
                    .route("POST", "*", policy -> policy.refusedReplay(refused))
                    .start(this::handle);
        }

        /** Whether this is the principal of a user who has the role. */
        private boolean has(@Nullable String principal) {
            return holders.stream().map(transport::owner).anyMatch(owner -> owner.equals(principal));
        }

        private void handle(Call call) throws Exception {
            if (!holders.contains(call.user()) && !has(call.user())) {
                call.status(403);
                call.print("not for you");
                return;
            }
            if (call.path().equals("/unknown")) {
                throw new OutcomeUnknownException("timeout");
            }
            if (call.path().equals("/slow")) {
                started.countDown();
                finish.await();
            }
            call.status(201);
            call.header("X-Receipt", SECRET);
            call.print("receipt " + SECRET);
        }

        Wire.Reply pay(String user, String tenant, String key) {
            return pay("/payments", user, tenant, key, "{\"amount\":100}");
        }

        Wire.Reply pay(String path, String user, String tenant, String key, String json) {
            return server.send(server.post(path)
                    .user(user)
                    .header("X-Tenant", tenant)
                    .key(key)
                    .json(json));
        }

        Wire.Reply status(String user, String tenant, String key) {
            return server.send(new Wire.Request("GET", "/idempotency/status")
                    .user(user)
                    .header("X-Tenant", tenant)
                    .key(key));
        }

        State state(String key) {
            return server.semel
                    .find(Identity.of("acme", key))
                    .map(found -> found.state())
                    .orElse(null);
        }

        @Override
        public void close() {
            finish.countDown();
            server.close();
        }
    }

    private Roles paid(RefusedReplay refused) {
        Roles roles = new Roles(transport(), settings(), refused);
        Wire.Reply first = roles.pay("alice", "acme", "k");
        assertThat(first.status()).isEqualTo(201);
        assertThat(first.text()).contains(SECRET);
        return roles;
    }

    private static void assertNothingStored(Wire.Reply reply) {
        assertThat(reply.essence()).doesNotContain(SECRET);
        assertThat(reply.replayed()).isFalse();
    }

    private static void assertForbidden(Wire.Reply reply, int status) {
        assertNothingStored(reply);
        assertThat(reply.status()).isEqualTo(status);
        assertThat(reply.text()).contains("\"code\":\"idempotency_replay_forbidden\"", "\"retryable\":false");
    }

    private static void assertSame(Wire.Reply reply, Wire.Reply other) {
        assertNothingStored(reply);
        assertThat(reply.essence()).isEqualTo(other.essence());
    }

    @ParameterizedTest
    @EnumSource
    default void another_account_of_the_tenant_that_has_the_role_gets_the_replay(RefusedReplay refused) {
        try (Roles roles = paid(refused)) {
            for (String user : new String[] {"alice", "bob"}) {
                for (Wire.Reply reply :
                        new Wire.Reply[] {roles.pay(user, "acme", "k"), roles.status(user, "acme", "k")}) {
                    assertThat(reply.status()).isEqualTo(201);
                    assertThat(reply.replayed()).isTrue();
                    assertThat(reply.all("X-Receipt")).containsExactly(SECRET);
                }
            }
            assertThat(roles.server.executions).hasValue(1);
        }
    }

    @Test
    default void a_revoked_role_gets_no_replay_and_no_stored_byte() {
        try (Roles roles = paid(RefusedReplay.FORBIDDEN)) {
            for (String user : new String[] {"bob", "alice", "anonymous"}) {
                roles.holders.remove(user);
                assertForbidden(roles.pay(user, "acme", "k"), 403);
                assertForbidden(roles.status(user, "acme", "k"), 403);
            }
            assertThat(roles.server.executions).hasValue(1);

            roles.holders.add("bob");
            assertThat(roles.pay("bob", "acme", "k").replayed()).isTrue();
        }
    }

    @Test
    default void with_404_a_revoked_role_cannot_tell_whether_a_key_was_used() {
        try (Roles roles = paid(RefusedReplay.NOT_FOUND)) {
            roles.pay("/unknown", "alice", "acme", "unknown", "{}");
            CompletableFuture<Wire.Reply> running =
                    CompletableFuture.supplyAsync(() -> roles.pay("/slow", "alice", "acme", "running", "{}"));
            roles.started.await();
            int executions = roles.server.executions.get();
            roles.holders.remove("bob");

            Wire.Reply unused = roles.pay("bob", "acme", "unused");
            assertForbidden(unused, 404);
            assertSame(roles.pay("bob", "acme", "k"), unused);
            assertSame(roles.pay("/payments", "bob", "acme", "k", "{\"amount\":9}"), unused);
            assertSame(roles.pay("/unknown", "bob", "acme", "unknown", "{}"), unused);
            assertSame(roles.pay("/slow", "bob", "acme", "running", "{}"), unused);

            Wire.Reply never = roles.status("bob", "acme", "unused");
            assertThat(never.status()).isEqualTo(404);
            assertThat(never.text()).contains("idempotency_key_not_found");
            for (String used : new String[] {"k", "unknown", "running"}) {
                assertSame(roles.status("bob", "acme", used), never);
            }
            assertThat(roles.server.executions).hasValue(executions);
            roles.finish.countDown();
            running.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    default void the_status_of_a_request_without_an_answer_is_not_shown_either() {
        try (Roles roles = paid(RefusedReplay.FORBIDDEN)) {
            roles.pay("/unknown", "alice", "acme", "unknown", "{}");
            assertThat(roles.state("unknown")).isEqualTo(State.UNKNOWN);
            roles.holders.remove("bob");
            assertForbidden(roles.status("bob", "acme", "unknown"), 403);
            assertThat(roles.status("alice", "acme", "unknown").status()).isEqualTo(202);
        }
    }

    @ParameterizedTest
    @EnumSource
    default void i9_an_account_of_another_tenant_gets_what_it_gets_for_a_key_that_was_never_used(
            RefusedReplay refused) {
        try (Roles roles = paid(refused)) {
            assertSame(roles.status("carol", "other", "k"), roles.status("carol", "other", "unused"));
            roles.holders.remove("carol");
            assertSame(roles.status("carol", "other", "k"), roles.status("carol", "other", "unused"));
            assertSame(roles.pay("carol", "other", "k"), roles.pay("carol", "other", "unused"));
            roles.holders.add("carol");
            int executions = roles.server.executions.get();
            assertThat(roles.pay("carol", "other", "k").essence())
                    .isEqualTo(roles.pay("carol", "other", "unused").essence());
            assertThat(roles.server.executions).hasValue(executions + 2);
        }
    }

    @ParameterizedTest
    @EnumSource
    default void a_check_that_fails_refuses_for_now_and_executes_nothing(RefusedReplay refused) {
        try (Roles roles = paid(refused)) {
            for (ReplayCheck failing : new ReplayCheck[] {
                replay -> {
                    throw new IllegalStateException("authorization is down");
                },
                replay -> CompletableFuture.failedFuture(new IllegalStateException("authorization is down"))
            }) {
                roles.check = failing;
                Wire.Reply reply = roles.pay("bob", "acme", "k");
                assertNothingStored(reply);
                assertThat(reply.status()).isEqualTo(503);
                assertThat(reply.all("Retry-After")).containsExactly("1");
                assertThat(reply.text()).contains("idempotency_replay_check_failed", "\"retryable\":true");

                Wire.Reply status = roles.status("bob", "acme", "k");
                if (refused == RefusedReplay.NOT_FOUND) {
                    assertSame(status, roles.status("bob", "acme", "unused"));
                } else {
                    assertNothingStored(status);
                    assertThat(status.status()).isEqualTo(503);
                }
            }
            assertThat(roles.server.executions).hasValue(1);
        }
    }

    @Test
    default void a_check_may_answer_later() {
        try (Roles roles = paid(RefusedReplay.NOT_FOUND)) {
            roles.check = replay -> CompletableFuture.supplyAsync(
                    () -> roles.transport.owner("alice").equals(replay.principal()));
            assertThat(roles.pay("alice", "acme", "k").replayed()).isTrue();
            assertThat(roles.status("alice", "acme", "k").replayed()).isTrue();
            assertForbidden(roles.pay("bob", "acme", "k"), 404);
        }
    }

    @ParameterizedTest
    @EnumSource
    default void each_refusal_is_audited_with_the_name_of_the_caller(RefusedReplay refused) {
        try (Roles roles = paid(refused)) {
            roles.holders.remove("bob");
            roles.pay("bob", "acme", "k");
            roles.status("bob", "acme", "k");
            await().untilAsserted(() -> assertThat(
                            roles.server.semel.unknownOutcomes().history(Identity.of("acme", "k")))
                    .filteredOn(entry -> entry.change() == AuditEntry.Change.REPLAY_REFUSED)
                    .hasSize(2)
                    .allSatisfy(entry -> assertThat(entry.why()).isEqualTo(roles.transport.owner("bob"))));
        }
    }
}
