package dev.semel.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Codec;
import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Intent;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Step;
import dev.semel.adapter.Claim;
import dev.semel.admin.AdminApi;
import dev.semel.admin.access.AdminRequest;
import dev.semel.admin.access.AdminResponse;
import dev.semel.admin.access.Authenticator;
import dev.semel.admin.access.Role;
import dev.semel.admin.access.TokenFile;
import dev.semel.engine.EncryptionKeys;
import dev.semel.engine.SemelEngine;
import dev.semel.http.Body;
import dev.semel.http.Headers;
import dev.semel.http.RecordedResponse;
import dev.semel.jdbc.Stores;
import dev.semel.server.cli.Invocation;
import dev.semel.testsupport.servers.MariadbServer;
import dev.semel.testsupport.servers.PostgresServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Hashed keys and encrypted responses, through console and command line,")
class SealedStoreTest {

    private static final String SECRET =
            Base64.getEncoder().encodeToString("x".repeat(32).getBytes(StandardCharsets.UTF_8));
    private static final Identity ID = Identity.of("acme", "jane@example.com");
    private static final String BODY = "card 4242";

    @TempDir
    Path folder;

    enum Database {
        SQLITE,
        POSTGRESQL,
        MARIADB
    }

    private String uri(Database database) {
        return switch (database) {
            case SQLITE -> "sqlite:" + folder.resolve("semel.db");
            case POSTGRESQL -> PostgresServer.shared().newDatabase();
            case MARIADB -> MariadbServer.shared().newDatabase();
        };
    }

    private static EncryptionKeys key(String id, char content) {
        return EncryptionKeys.current(id, String.valueOf(content).repeat(32).getBytes(StandardCharsets.UTF_8));
    }

    /** As the application writes it; returns the key as it is stored. */
    private static String fill(String uri) {
        try (SemelEngine semel = SemelEngine.on(Stores.open(uri))
                .hashedKeys(SECRET)
                .encryption(key("k1", 'a'))
                .build()) {
            Intent intent = Intent.of(Operation.named("charge"), ID.scope(), ID.key(), new Fingerprint("v1:0"));
            Claim.Granted granted = (Claim.Granted) semel.begin(intent);
            granted.attempt()
                    .settleAndWait(new Outcome.Completed(RecordedResponse.of(201, Headers.NONE, Body.ofText(BODY))
                            .toResponse()));
            return semel.stored(ID).key().value();
        }
    }

    /** A console as a person with this role sees it. */
    private String ask(String uri, Role role, UnaryOperator<SemelEngine.Builder> secrets, String path, String body)
            throws IOException {
        TokenFile.Made made = TokenFile.make("vera", role);
        Authenticator access = new TokenFile(Files.writeString(folder.resolve("tokens"), made.line()));
        try (SemelEngine semel =
                secrets.apply(SemelEngine.on(Stores.open(uri)).forOperators()).build()) {
            AdminResponse response = AdminApi.on(semel, access)
                    .build()
                    .handle(new AdminRequest(
                            "POST",
                            AdminApi.CALLS + path,
                            Headers.of("Host", "127.0.0.1")
                                    .with("Content-Type", "application/json")
                                    .with("Authorization", "Bearer " + made.token()),
                            body.getBytes(StandardCharsets.UTF_8),
                            "127.0.0.1",
                            false));
            return response.status() + " " + new String(response.body().bytes(), StandardCharsets.UTF_8);
        }
    }

    private static UnaryOperator<SemelEngine.Builder> withAll() {
        return builder -> builder.hashedKeys(SECRET).encryption(key("k1", 'a'));
    }

    @ParameterizedTest
    @EnumSource
    void a_typed_key_finds_its_record_with_the_secret_and_says_what_is_missing_without(Database database)
            throws IOException {
        String uri = uri(database);
        String stored = fill(uri);
        String typed = "{\"key\":\"jane@example.com\"}";
        String named = "{\"scope\":\"acme\",\"key\":\"jane@example.com\"}";
        assertThat(ask(uri, Role.VIEWER, withAll(), "/records/search", "{\"scope\":\"acme\"," + typed.substring(1)))
                .startsWith("200 ")
                .contains(stored)
                .doesNotContain("jane");
        assertThat(ask(uri, Role.VIEWER, withAll(), "/records/get", named))
                .startsWith("200 ")
                .contains("\"state\":\"completed\"")
                .doesNotContain("card 4242", "jane");
        assertThat(ask(uri, Role.VIEWER, builder -> builder, "/records/get", named))
                .contains("the keys in this store are hashed: give its secret")
                .doesNotContain(stored);
        assertThat(ask(uri, Role.VIEWER, builder -> builder, "/records/search", "{}"))
                .startsWith("200 ")
                .contains(stored);
    }

    @ParameterizedTest
    @EnumSource
    void a_body_is_shown_to_those_who_may_see_it_and_only_with_the_key_that_encrypted_it(Database database)
            throws IOException {
        String uri = uri(database);
        String named = "\"scope\":\"acme\",\"key\":\"" + fill(uri) + "\"";
        String get = "{" + named + "}";
        String asked = "{" + named + ",\"fence\":" + fence(uri) + ",\"reason\":\"ticket 7\"}";
        assertThat(ask(uri, Role.VIEWER, withAll(), "/records/response", asked))
                .startsWith("403 ")
                .doesNotContain("card 4242");

        for (UnaryOperator<SemelEngine.Builder> other : List.<UnaryOperator<SemelEngine.Builder>>of(
                builder -> builder,
                builder -> builder.encryption(key("k2", 'a')),
                builder -> builder.encryption(key("k1", 'b')))) {
            assertThat(ask(uri, Role.OPERATOR, other, "/records/get", get))
                    .as("the record is shown without its response, and says why")
                    .startsWith("200 ")
                    .contains("\"state\":\"completed\"", "\"sealed\":\"", "\"kind\":\"settled\"")
                    .doesNotContain("card 4242");
            assertThat(ask(uri, Role.OPERATOR, other, "/records/response", asked))
                    .startsWith("409 ")
                    .contains("\"code\":\"response_sealed\"", "--encryption-keys-file")
                    .doesNotContain("card 4242", "viewed");
        }
        assertThat(ask(uri, Role.OPERATOR, withAll(), "/records/get", get))
                .as("what was not shown is not in the history")
                .doesNotContain("\"kind\":\"viewed\"");
        assertThat(ask(uri, Role.OPERATOR, withAll(), "/records/response", asked))
                .startsWith("200 ")
                .contains(BODY);
        assertThat(ask(uri, Role.OPERATOR, withAll(), "/records/get", get)).contains("\"kind\":\"viewed\"", "ticket 7");
    }

    @ParameterizedTest
    @EnumSource
    void a_recorded_step_is_shown_to_those_who_may_see_it_and_only_with_the_key_that_encrypted_it(Database database)
            throws Exception {
        String uri = uri(database);
        long fence;
        try (SemelEngine semel = SemelEngine.on(Stores.open(uri))
                .hashedKeys(SECRET)
                .encryption(key("k1", 'a'))
                .build()) {
            Claim.Granted granted = (Claim.Granted)
                    semel.begin(Intent.of(Operation.named("charge"), ID.scope(), ID.key(), new Fingerprint("v1:0")));
            granted.attempt().step(Step.named("authorize"), Codec.text(), downstream -> BODY);
            granted.attempt().settleAndWait(new Outcome.Unknown("timeout"));
            fence = granted.attempt().lease().fence();
        }
        String asked = "{\"scope\":\"acme\",\"key\":\"jane@example.com\",\"fence\":" + fence
                + ",\"step\":\"authorize\",\"reason\":\"ticket 7\"}";
        assertThat(ask(uri, Role.VIEWER, withAll(), "/records/step", asked))
                .startsWith("403 ")
                .doesNotContain("card 4242");
        assertThat(ask(
                        uri,
                        Role.OPERATOR,
                        builder -> builder.hashedKeys(SECRET).encryption(key("k1", 'b')),
                        "/records/step",
                        asked))
                .startsWith("409 ")
                .contains("\"code\":\"response_sealed\"")
                .doesNotContain("card 4242");
        String get = "{\"scope\":\"acme\",\"key\":\"jane@example.com\"}";
        assertThat(ask(uri, Role.VIEWER, withAll(), "/records/get", get))
                .contains("\"kept\":true")
                .doesNotContain("card 4242", "\"kind\":\"viewed\"");
        assertThat(ask(uri, Role.OPERATOR, withAll(), "/records/step", asked))
                .startsWith("200 ")
                .contains(BODY);
        assertThat(ask(uri, Role.VIEWER, withAll(), "/records/get", get))
                .contains("step authorize: ticket 7")
                .doesNotContain("card 4242");
    }

    private static long fence(String uri) {
        try (SemelEngine semel =
                SemelEngine.on(Stores.open(uri)).hashedKeys(SECRET).build()) {
            return semel.unknownOutcomes()
                    .findSealed(semel.stored(ID))
                    .orElseThrow()
                    .fence();
        }
    }

    @ParameterizedTest
    @EnumSource
    void the_command_line_shows_the_same(Database database) throws IOException {
        String uri = uri(database);
        String stored = fill(uri);
        Path keys = Files.writeString(folder.resolve("keys"), "k2 " + base64('b') + "\nk1 " + base64('a') + "\n");
        String show = "keys show acme " + stored + " --store " + uri;
        assertThat(run(show).out()).contains("completed").doesNotContain("card 4242");
        assertThat(run(show + " --response --reason ticket").err())
                .contains("is encrypted, and no encryption key is configured", "--encryption-keys-file")
                .doesNotContain("card 4242");
        assertThat(run(show + " --response --reason ticket --encryption-keys-file " + keys)
                        .out())
                .contains(BODY);
        Files.writeString(keys, "k1 " + base64('b'));
        assertThat(run(show + " --response --reason ticket --encryption-keys-file " + keys)
                        .err())
                .contains("does not decrypt with key 'k1'");
        Files.writeString(keys, "k1");
        assertThat(run(show + " --encryption-keys-file " + keys).err())
                .contains("--encryption-keys-file: each line must be 'ID BASE64'");
    }

    private static Invocation run(String line) {
        return Invocation.of(line.split(" +"));
    }

    private static String base64(char content) {
        return Base64.getEncoder()
                .encodeToString(String.valueOf(content).repeat(32).getBytes(StandardCharsets.UTF_8));
    }
}
