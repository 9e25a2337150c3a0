package dev.semel.http.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.semel.Scope;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A scope strategy")
class ScopeStrategyTest {

    private static final ScopeStrategy TENANT = ScopeStrategy.fromHeader("X-Tenant");

    @Test
    void finds_the_principal_the_tenant_and_the_route() {
        TestInput input =
                TestInput.empty().user("alice").header("X-Tenant", "acme").route("create-payment");

        assertThat(scopeOf(ScopeStrategy.fromPrincipal(), input)).isEqualTo("alice");
        assertThat(scopeOf(TENANT, input)).isEqualTo("acme");
        assertThat(scopeOf(ScopeStrategy.fromRoute(), input)).isEqualTo("create-payment");
        assertThat(scopeOf(ScopeStrategy.fixed(Scope.GLOBAL), input)).isEqualTo("global");
        assertThat(scopeOf(
                        ScopeStrategy.combine(TENANT, ScopeStrategy.fromPrincipal(), ScopeStrategy.fromRoute()), input))
                .isEqualTo("acme/alice/create-payment");
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", " ", "\t"})
    void names_what_is_missing_and_never_shares_a_scope_silently(String absent) {
        TestInput input = TestInput.empty().user(absent).route(absent);
        if (absent != null) {
            input.header("X-Tenant", absent);
        }

        assertThat(ScopeStrategy.fromPrincipal().resolve(input))
                .isEqualTo(new ScopeResult.Missing("an authenticated user"));
        assertThat(TENANT.resolve(input)).isEqualTo(new ScopeResult.Missing("the header X-Tenant"));
        assertThat(ScopeStrategy.fromRoute().resolve(input)).isEqualTo(new ScopeResult.Missing("a named route"));
        assertThat(ScopeStrategy.combine(ScopeStrategy.fixed(Scope.GLOBAL), TENANT)
                        .resolve(input))
                .isEqualTo(new ScopeResult.Missing("the header X-Tenant"));
    }

    @Test
    @DisplayName("I9: no name of an owner leads to the keys of callers without one")
    void an_owner_called_anonymous_does_not_share_the_scope_of_callers_without_an_owner() {
        assertThat(Scope.ANONYMOUS.value()).isEqualTo("anonymous");
        assertThat(scopeOf(ScopeStrategy.fromPrincipal(), TestInput.empty().user("anonymous")))
                .isEqualTo("%61nonymous");
        assertThat(scopeOf(TENANT, TestInput.empty().header("X-Tenant", "anonymous")))
                .isEqualTo("%61nonymous");
        assertThat(scopeOf(TENANT, TestInput.empty().header("X-Tenant", "%61nonymous")))
                .isEqualTo("%2561nonymous");
        assertThat(Scope.ANONYMOUS.within("ship-order").value()).isEqualTo("anonymous/ship-order");
        assertThat(Scope.of("anonymous", "ship-order").value()).isEqualTo("%61nonymous/ship-order");
        assertThat(Scope.of("Anonymous").value()).isEqualTo("Anonymous");
    }

    @Test
    void refuses_a_tenant_that_is_sent_twice_or_cannot_be_stored() {
        assertThat(TENANT.resolve(TestInput.empty().header("X-Tenant", "a").header("x-tenant", "b")))
                .isEqualTo(new ScopeResult.Invalid("the header X-Tenant was sent 2 times; send it once"));
        assertThat(TENANT.resolve(TestInput.empty().header("X-Tenant", "a\u0000b")))
                .isEqualTo(new ScopeResult.Invalid(
                        "the header X-Tenant cannot name an owner: the scope has a control character at position 1"));
        assertThat(TENANT.resolve(TestInput.empty().header("X-Tenant", "t".repeat(256))))
                .isInstanceOf(ScopeResult.Invalid.class);
    }

    @Test
    void never_lets_owners_run_together() {
        ScopeStrategy both = ScopeStrategy.combine(TENANT, ScopeStrategy.fromPrincipal());

        assertThat(scopeOf(both, TestInput.empty().header("X-Tenant", "a/b").user("c")))
                .isNotEqualTo(
                        scopeOf(both, TestInput.empty().header("X-Tenant", "a").user("b/c")));
        assertThat(scopeOf(ScopeStrategy.fromPrincipal(), TestInput.empty().user("a/b")))
                .isNotEqualTo(
                        scopeOf(both, TestInput.empty().header("X-Tenant", "a").user("b")));
    }

    @Test
    void hashes_owners_that_are_too_long_together() {
        ScopeStrategy both = ScopeStrategy.combine(TENANT, ScopeStrategy.fromPrincipal());
        String one = scopeOf(
                both, TestInput.empty().header("X-Tenant", "t".repeat(200)).user("u".repeat(100)));
        String other = scopeOf(
                both, TestInput.empty().header("X-Tenant", "t".repeat(199)).user("u".repeat(101)));

        assertThat(one).matches("%sha256:[0-9a-f]{64}").isNotEqualTo(other);
    }

    @Test
    void can_be_any_lambda() {
        ScopeStrategy account = input -> input.path() == null
                ? new ScopeResult.Missing("a path")
                : new ScopeResult.Found(Scope.of("account", Objects.requireNonNull(input.path())));

        assertThat(scopeOf(account, TestInput.request("POST", "/a", ""))).isEqualTo("account/%2Fa");
        assertThat(account.resolve(TestInput.empty())).isInstanceOf(ScopeResult.Missing.class);
    }

    @Test
    void needs_a_header_name() {
        assertThatIllegalArgumentException().isThrownBy(() -> ScopeStrategy.fromHeader("X Tenant"));
    }

    private static String scopeOf(ScopeStrategy strategy, KeyInput input) {
        ScopeResult result = strategy.resolve(input);
        assertThat(result).isInstanceOf(ScopeResult.Found.class);
        return ((ScopeResult.Found) result).scope().value();
    }
}
