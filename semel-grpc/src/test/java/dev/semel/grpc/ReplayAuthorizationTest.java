package dev.semel.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Identity;
import dev.semel.Intent.ReplayCheck;
import dev.semel.Scope;
import dev.semel.reconcile.AuditEntry.Change;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Before an answer of gRPC is replayed")
class ReplayAuthorizationTest {

    private static final String SECRET = "SECRET-7";
    private static final Metadata.Key<String> TENANT = Metadata.Key.of("tenant", Metadata.ASCII_STRING_MARSHALLER);

    private final Set<String> roles = ConcurrentHashMap.newKeySet();
    private volatile ReplayCheck check = ReplayCheck.of(replay -> {
        assertThat(replay.mayBlock()).isTrue();
        assertThat(replay.request(CallRequest.class))
                .hasValueSatisfying(call -> assertThat(call.method()).isEqualTo(Shop.CHARGE.getFullMethodName()));
        return roles.contains(String.valueOf(ShopServer.CALLER.get()));
    });

    private ShopServer paid(boolean hidden) {
        roles.addAll(Set.of("alice", "bob", "carol"));
        ShopServer server = ShopServer.settings()
                .scope((call, headers) ->
                        Optional.ofNullable(headers.get(TENANT)).map(Scope::of))
                .interceptor(builder -> {
                    builder.replayCheck(replay -> check.mayReplay(replay));
                    return hidden ? builder.hideRefusedReplays() : builder;
                })
                .start((request, answer) -> {
                    if (roles.contains(String.valueOf(ShopServer.CALLER.get()))) {
                        answer.onNext(Shop.bytes(SECRET));
                        answer.onCompleted();
                    } else {
                        answer.onError(Status.PERMISSION_DENIED.asException());
                    }
                });
        assertThat(charge(server, "alice", "acme", "k").text()).isEqualTo(SECRET);
        return server;
    }

    private static Answer charge(ShopServer server, String user, String tenant, String key) {
        return charge(server, user, tenant, key, "100 EUR");
    }

    private static Answer charge(ShopServer server, String user, String tenant, String key, String request) {
        Metadata headers = ShopServer.key(key);
        headers.put(Shop.USER, user);
        headers.put(TENANT, tenant);
        return server.send(Shop.CHARGE, headers, request).join();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void another_account_of_the_tenant_that_has_the_role_gets_it(boolean hidden) {
        try (ShopServer server = paid(hidden)) {
            Answer replay = charge(server, "bob", "acme", "k");
            assertThat(replay.text()).isEqualTo(SECRET);
            assertThat(replay.replayed()).isTrue();
            assertThat(server.executions).hasValue(1);
        }
    }

    @Test
    void a_revoked_role_gets_no_byte_and_the_refusal_is_audited() {
        try (ShopServer server = paid(false)) {
            for (String user : new String[] {"bob", "alice"}) {
                roles.remove(user);
                charge(server, user, "acme", "k").assertRefused(RefusalCode.IDEMPOTENCY_REPLAY_FORBIDDEN);
            }
            assertThat(server.executions).hasValue(1);
            ShopServer.eventually()
                    .untilAsserted(
                            () -> assertThat(server.semel.unknownOutcomes().history(Identity.of("acme", "k")))
                                    .filteredOn(entry -> entry.change() == Change.REPLAY_REFUSED)
                                    .hasSize(2));
        }
    }

    @Test
    void a_hidden_refusal_does_not_tell_whether_the_key_was_used() {
        try (ShopServer server = paid(true)) {
            roles.remove("bob");
            Answer unused = charge(server, "bob", "acme", "unused");
            assertThat(unused.code()).isEqualTo(Status.Code.NOT_FOUND);
            assertThat(charge(server, "bob", "acme", "k").essence()).isEqualTo(unused.essence());
            assertThat(charge(server, "bob", "acme", "k", "9 EUR").essence()).isEqualTo(unused.essence());
            assertThat(server.executions).hasValue(1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void i9_another_tenant_gets_what_it_gets_for_a_key_that_was_never_used(boolean hidden) {
        try (ShopServer server = paid(hidden)) {
            assertThat(charge(server, "carol", "other", "k").essence())
                    .isEqualTo(charge(server, "carol", "other", "unused").essence());
            roles.remove("carol");
            assertThat(charge(server, "carol", "third", "k").essence())
                    .isEqualTo(charge(server, "carol", "third", "unused").essence());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_check_that_fails_refuses_for_now(boolean hidden) {
        try (ShopServer server = paid(hidden)) {
            check = replay -> CompletableFuture.failedFuture(new IllegalStateException("authorization is down"));
            charge(server, "bob", "acme", "k").assertRefused(RefusalCode.IDEMPOTENCY_REPLAY_CHECK_FAILED);
            assertThat(server.executions).hasValue(1);
        }
    }
}
