package dev.semel.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Intent;
import dev.semel.Operation;
import dev.semel.OutcomeUnknownException;
import dev.semel.Refusal;
import dev.semel.Refusal.Mismatch;
import dev.semel.Refusal.Mismatch.Difference;
import dev.semel.Refusal.Mismatch.Kind;
import dev.semel.StoreException;
import dev.semel.adapter.Claim;
import dev.semel.fingerprint.Fingerprinter;
import dev.semel.fingerprint.Parts;
import dev.semel.memory.MemoryStore;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.RecordSearch;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.StoredRecord.Holder;
import dev.semel.testkit.ManualTime;
import dev.semel.testsupport.stores.CountingStore;
import dev.semel.testsupport.stores.FaultyStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.crypto.Mac;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("an explained mismatch")
class ExplanationsTest {

    private static final Operation CHARGE = Operation.named("charge");
    private static final Mismatch CHANGED_AMOUNT =
            new Mismatch(List.of(new Difference("body", "/amount", Kind.CHANGED)), false);
    private static final byte[] SECRET = "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private final ManualTime time = new ManualTime();
    private final MemoryStore memory = new MemoryStore(time);
    private final CountingStore store = new CountingStore(memory);
    private final SemelEngine semel = on(memory).explainMismatches().build();

    private SemelEngine.Builder on(Store any) {
        return SemelEngine.on(any).timer(time);
    }

    private static Intent intent(String scope, String key, String body) {
        Parts parts = Parts.builder()
                .body("application/json", body.getBytes(StandardCharsets.UTF_8))
                .build();
        return Intent.of(
                        CHARGE,
                        Identity.of(scope, key).scope(),
                        Identity.of(scope, key).key(),
                        fingerprint(parts))
                .describedAs("POST /payments")
                .detailedBy(parts);
    }

    private static Fingerprint fingerprint(Parts parts) {
        return Fingerprinter.sha256().of(parts);
    }

    private static Intent intent(String body) {
        return intent("acme", "k", body);
    }

    private static Execution<String> execute(SemelEngine engine, Intent intent) {
        return engine.execute(intent, Codec.text(), attempt -> "done");
    }

    private static Refusal refusal(SemelEngine engine, Intent intent) {
        return ((Execution.Refused<String>) execute(engine, intent)).why();
    }

    private StoredRecord record(String scope, String key) {
        return memory.find(Identity.of(scope, key)).toCompletableFuture().join().orElseThrow();
    }

    @Test
    @DisplayName("goes only to callers that may have the response, also without blocking")
    void only_for_those_who_may_have_the_response() {
        execute(semel, intent("{\"amount\":1,\"to\":\"x\"}"));
        Intent other = intent("{\"amount\":2,\"to\":\"x\"}");
        Intent allowed = other.guardedBy(new Intent.Guard(Intent.ReplayCheck.of(replay -> true), "", "alice"));
        Intent refused = other.guardedBy(new Intent.Guard(Intent.ReplayCheck.of(replay -> false), "", "bob"));
        Intent failing = other.guardedBy(new Intent.Guard(
                Intent.ReplayCheck.of(replay -> {
                    throw new IllegalStateException("no rights are known");
                }),
                "",
                "carol"));

        assertThat(refusal(semel, allowed)).isEqualTo(CHANGED_AMOUNT);
        assertThat(refusal(semel, refused)).isEqualTo(new Refusal.Mismatch());
        assertThat(refusal(semel, failing)).isEqualTo(new Refusal.Mismatch());
        assertThat(semel.beginAsync(allowed).toCompletableFuture().join()).isEqualTo(new Claim.Refused(CHANGED_AMOUNT));
        assertThat(semel.beginAsync(refused).toCompletableFuture().join())
                .isEqualTo(new Claim.Refused(new Refusal.Mismatch()));
    }

    private static Intent at(String path, String body) {
        Parts parts = Parts.builder()
                .add("method", "POST")
                .add("path", path)
                .body("application/json", body.getBytes(StandardCharsets.UTF_8))
                .build();
        Identity identity = Identity.of("acme", "k");
        return Intent.of(CHARGE, identity.scope(), identity.key(), fingerprint(parts))
                .detailedBy(parts);
    }

    @Test
    @DisplayName("says nothing of a request for another path to callers that were checked for this one")
    void checked_for_another_path() {
        execute(semel, at("/salaries", "{\"iban\":\"DE1\"}"));
        Intent other = at("/payments", "{\"amount\":1}");
        Intent checked = other.guardedBy(new Intent.Guard(Intent.ReplayCheck.of(replay -> true), "", "alice"));
        Difference path = new Difference("path", null, Kind.CHANGED);

        assertThat(refusal(semel, checked)).isEqualTo(new Mismatch(List.of(path), false));
        assertThat(refusal(semel, other))
                .isEqualTo(new Mismatch(
                        List.of(
                                path,
                                new Difference("body", "/amount", Kind.ADDED),
                                new Difference("body", "/iban", Kind.MISSING)),
                        false));
    }

    @Test
    @DisplayName("I7: says what differs, in every state, and changes nothing")
    void every_state() {
        execute(semel, intent("{\"amount\":1,\"to\":\"x\"}"));
        StoredRecord before = record("acme", "k");
        assertThat(refusal(semel, intent("{\"amount\":2,\"to\":\"x\"}"))).isEqualTo(CHANGED_AMOUNT);
        assertThat(record("acme", "k").holder()).isEqualTo(before.holder());

        assertThatThrownBy(() -> semel.execute(intent("acme", "u", "{\"amount\":1}"), Codec.text(), attempt -> {
                    assertThat(refusal(semel, intent("acme", "u", "{\"amount\":2}")))
                            .isEqualTo(CHANGED_AMOUNT);
                    throw new OutcomeUnknownException("lost");
                }))
                .isInstanceOf(OutcomeUnknownException.class);
        assertThat(refusal(semel, intent("acme", "u", "{\"amount\":2}"))).isEqualTo(CHANGED_AMOUNT);
    }

    @Test
    void leaves_no_name_and_no_value_in_the_store_or_its_history() {
        execute(semel, intent("{\"m4rkedName\":\"m4rkedValue\"}"));
        String holder = record("acme", "k").holder();
        assertThat(holder).doesNotContain("m4rked").contains("\n");
        assertThat(holder.length()).isLessThan(120);
        assertThat(record("acme", "k").request()).isEqualTo("POST /payments");
        assertThat(memory.history(Identity.of("acme", "k")))
                .extracting(AuditEntry::who)
                .containsOnly(Holder.withoutOutline(holder));
    }

    @Test
    void has_other_digests_for_the_same_request_in_each_record() {
        Set<String> digests = new HashSet<>();
        Intent.Details details = new Intent.Details() {
            @Override
            public byte[] outline(Mac keyed, int mostBytes) {
                byte[] digest = keyed.doFinal(new byte[1]);
                digests.add(HexFormat.of().formatHex(digest));
                return digest;
            }

            @Override
            public Mismatch differencesFrom(byte[] outline, Mac keyed) {
                return new Mismatch();
            }
        };
        for (String scope : List.of("acme", "globex", "acme")) {
            for (String key : List.of("a", "b")) {
                execute(semel, intent(scope, key, "{}").detailedBy(details));
            }
        }
        assertThat(digests).hasSize(4);
    }

    @Test
    void has_other_bytes_for_the_same_request_in_each_claim() {
        Set<String> outlines = new HashSet<>();
        for (String key : List.of("a", "b", "c")) {
            execute(semel, intent("acme", key, "{\"amount\":1}"));
            outlines.add(Holder.outlineIn(record("acme", key).holder()));
        }
        assertThat(outlines).hasSize(3);
    }

    @Test
    @DisplayName("off: computes nothing, stores nothing, and takes no round trip more")
    void off() {
        SemelEngine off = on(store).build();
        long start = store.calls();
        execute(off, intent("{\"amount\":1}"));
        assertThat(store.calls() - start).isEqualTo(2);
        assertThat(Holder.outlineIn(record("acme", "k").holder())).isNull();
        assertThat(refusal(off, intent("{\"amount\":2}"))).isEqualTo(new Mismatch());
        assertThat(refusal(semel, intent("{\"amount\":2}"))).isEqualTo(new Mismatch());
        MemoryStore untouched = new MemoryStore(time);
        on(untouched).build();
        assertThat(untouched
                        .find(ExplanationSecret.IDENTITY)
                        .toCompletableFuture()
                        .join())
                .isEmpty();
    }

    @Test
    @DisplayName("on: takes as many round trips as off")
    void round_trips() {
        SemelEngine on = on(store).explainMismatches().build();
        long start = store.calls();
        execute(on, intent("{\"amount\":1}"));
        assertThat(store.calls() - start).isEqualTo(2);
    }

    @Test
    void is_there_for_requests_without_details_as_a_plain_mismatch() {
        Intent plain = Intent.of(
                CHARGE,
                Identity.of("acme", "k").scope(),
                Identity.of("acme", "k").key(),
                fingerprint(Parts.builder().add("payload", "x").build()));
        execute(semel, intent("{}"));
        assertThat(refusal(semel, plain)).isEqualTo(new Mismatch());
    }

    @Test
    @DisplayName("I9: is limited for each scope, and one scope does not use up what another one has")
    void limited() {
        for (String scope : List.of("acme", "globex")) {
            execute(semel, intent(scope, "k", "{\"amount\":1}"));
        }
        for (int i = 0; i < 10; i++) {
            assertThat(refusal(semel, intent("{\"amount\":2}"))).isEqualTo(CHANGED_AMOUNT);
        }
        assertThat(refusal(semel, intent("{\"amount\":2}"))).isEqualTo(new Mismatch());
        assertThat(refusal(semel, intent("globex", "k", "{\"amount\":2}"))).isEqualTo(CHANGED_AMOUNT);
        time.advance(Duration.ofSeconds(6));
        assertThat(refusal(semel, intent("{\"amount\":2}"))).isEqualTo(CHANGED_AMOUNT);
        assertThat(refusal(semel, intent("{\"amount\":2}"))).isEqualTo(new Mismatch());
        time.advance(Duration.ofHours(1));
        for (int i = 0; i < 10; i++) {
            assertThat(refusal(semel, intent("{\"amount\":2}"))).isEqualTo(CHANGED_AMOUNT);
        }
        assertThat(refusal(semel, intent("{\"amount\":2}"))).isEqualTo(new Mismatch());
    }

    @Test
    void is_the_same_from_every_engine_on_a_store_and_needs_the_secret_that_was_given() {
        execute(semel, intent("{\"amount\":1}"));
        assertThat(refusal(on(memory).explainMismatches().build(), intent("{\"amount\":2}")))
                .isEqualTo(CHANGED_AMOUNT);
        SemelEngine given = on(memory).explainMismatches(SECRET).build();
        assertThat(refusal(given, intent("{\"amount\":2}"))).isEqualTo(new Mismatch());
        execute(given, intent("acme", "g", "{\"amount\":1}"));
        assertThat(refusal(given, intent("acme", "g", "{\"amount\":2}"))).isEqualTo(CHANGED_AMOUNT);
        assertThat(refusal(semel, intent("acme", "g", "{\"amount\":2}"))).isEqualTo(new Mismatch());
    }

    @Test
    void has_one_secret_where_many_engines_start_at_once() throws Exception {
        MemoryStore fresh = new MemoryStore();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Callable<SemelEngine>> starting = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                starting.add(() -> SemelEngine.on(fresh).explainMismatches().build());
            }
            List<SemelEngine> engines = new ArrayList<>();
            for (Future<SemelEngine> started : threads.invokeAll(starting)) {
                engines.add(started.get());
            }
            execute(engines.get(0), intent("{\"amount\":1}"));
            assertThat(engines)
                    .allSatisfy(engine -> assertThat(refusal(engine, intent("{\"amount\":2}")))
                            .isEqualTo(CHANGED_AMOUNT));
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void encrypts_its_secret_where_responses_are_encrypted_and_goes_without_where_it_cannot_read_it() {
        MemoryStore fresh = new MemoryStore(time);
        EncryptionKeys keys = EncryptionKeys.current("one", Arrays.copyOf(SECRET, 16));
        SemelEngine first = on(fresh).encryption(keys).explainMismatches().build();
        execute(first, intent("{\"amount\":1}"));
        assertThat(refusal(first, intent("{\"amount\":2}"))).isEqualTo(CHANGED_AMOUNT);
        SemelEngine without = on(fresh).explainMismatches().build();
        assertThat(refusal(without, intent("{\"amount\":2}"))).isEqualTo(new Mismatch());
    }

    @Test
    void is_with_hashed_keys_as_well() {
        MemoryStore fresh = new MemoryStore(time);
        on(fresh).explainMismatches().build();
        SemelEngine hashed = on(fresh).hashedKeys(SECRET).explainMismatches().build();
        execute(hashed, intent("{\"amount\":1}"));
        assertThat(refusal(hashed, intent("{\"amount\":2}"))).isEqualTo(CHANGED_AMOUNT);
    }

    @Test
    void is_left_out_where_the_record_was_damaged_or_the_description_leaves_no_room() {
        String holder = record(semel, intent("{\"amount\":1}")).holder();
        Explanations explanations = explanations();
        assertThat(explanations.explain(intent("{\"amount\":2}"), withHolder(holder + "AAAA")))
                .isEqualTo(new Mismatch());
        assertThat(explanations.explain(intent("{\"amount\":2}"), withHolder("no-hex\nAAAA")))
                .isEqualTo(new Mismatch());
        Intent wordy = intent("acme", "w", "{\"amount\":1}").describedAs("\ud83d\ude00".repeat(200));
        assertThat(record(semel, wordy).holder().getBytes(StandardCharsets.UTF_8).length)
                .isLessThanOrEqualTo(Holder.MOST_BYTES);
    }

    private Explanations explanations() {
        Explanations explanations = Explanations.on(memory, time, ExplanationSecret.inTheStore(), new Envelope(null));
        assertThat(explanations).isNotNull();
        return explanations;
    }

    private StoredRecord record(SemelEngine engine, Intent intent) {
        execute(engine, intent);
        return memory.find(intent.identity()).toCompletableFuture().join().orElseThrow();
    }

    private StoredRecord withHolder(String holder) {
        StoredRecord r = record("acme", "k");
        return new StoredRecord(
                r.identity(),
                r.operation(),
                r.fingerprint(),
                r.state(),
                r.fence(),
                r.attempts(),
                r.reexecutable(),
                holder,
                r.times(),
                r.response(),
                r.reason(),
                r.evidence(),
                r.steps(),
                r.reconciling());
    }

    @Test
    @DisplayName("the store is asked where the near-cache knows of a mismatch, while it is explained")
    void near_cache() {
        SemelEngine near =
                on(store).nearCache(new MapCache()).explainMismatches().build();
        execute(near, intent("{\"amount\":1}"));
        for (int i = 0; i < 10; i++) {
            assertThat(refusal(near, intent("{\"amount\":2}"))).isEqualTo(CHANGED_AMOUNT);
        }
        long start = store.calls();
        assertThat(refusal(near, intent("{\"amount\":2}"))).isEqualTo(new Mismatch());
        assertThat(store.calls() - start).isZero();
    }

    @Test
    void keeps_its_secret_from_operators_and_from_whatever_finds_records_by_their_keys() {
        execute(semel, intent("{\"amount\":1}"));
        assertThat(memory.find(ExplanationSecret.IDENTITY).toCompletableFuture().join())
                .isPresent();
        assertThat(semel.find(ExplanationSecret.IDENTITY)).isEmpty();
        SemelEngine operators = on(memory).forOperators().build();
        assertThat(operators.records().find(ExplanationSecret.IDENTITY)).isEmpty();
        assertThat(operators
                        .records()
                        .search(RecordSearch.newest(RecordSearch.Filter.ALL, 10))
                        .records())
                .extracting(StoredRecord::identity)
                .containsExactly(Identity.of("acme", "k"));
    }

    @Test
    void refuses_a_secret_that_is_too_short_or_no_base64_without_showing_it() {
        assertThatThrownBy(() -> on(memory).explainMismatches(new byte[31]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("31 bytes")
                .hasMessageContaining("at least 32");
        assertThatThrownBy(() -> on(memory).explainMismatches("s3cret!"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not base64")
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void fails_to_start_where_the_store_cannot_be_asked() {
        FaultyStore faulty = new FaultyStore(memory);
        faulty.failNext(FaultyStore.Verb.CLAIM, FaultyStore.Fault.REFUSED);
        assertThatThrownBy(() -> on(faulty).explainMismatches().build()).isInstanceOf(StoreException.class);
    }
}
