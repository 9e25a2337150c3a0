package dev.semel.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.StoreException;
import dev.semel.testsupport.stores.CountingStore;
import dev.semel.testsupport.stores.FaultyStore.Fault;
import dev.semel.testsupport.stores.FaultyStore.Verb;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("an engine with hashed keys")
class HashedKeysTest extends EngineFixture {

    private static final byte[] SECRET = "a secret of thirty-two bytes and more".getBytes(StandardCharsets.US_ASCII);

    @Test
    void asks_the_store_once_at_its_start_and_no_more_for_a_request() {
        CountingStore counting = new CountingStore(memory);
        SemelEngine.on(counting).timer(time).build();
        assertThat(counting.calls()).as("with keys in the clear").isEqualTo(1);
        SemelEngine.on(counting).timer(time).hashedKeys(SECRET).build();
        long started = counting.calls();
        SemelEngine hashed =
                SemelEngine.on(counting).timer(time).hashedKeys(SECRET).build();
        assertThat(counting.calls() - started)
                .as("where keys are hashed already")
                .isEqualTo(1);

        hashed.execute(intent(CHARGE), Codec.text(), attempt -> "charged");
        hashed.execute(intent(CHARGE), Codec.text(), attempt -> "charged");
        assertThat(counting.calls() - started - 1).isEqualTo(3);
    }

    @Test
    void gives_listeners_the_near_cache_and_tracers_stored_keys_alone() {
        MapCache cache = new MapCache();
        RecordingTracer tracer = new RecordingTracer();
        SemelEngine hashed = SemelEngine.on(store)
                .timer(time)
                .hashedKeys(SECRET)
                .nearCache(cache)
                .tracer(tracer)
                .listener(events::add)
                .build();
        hashed.execute(intent(CHARGE), Codec.text(), attempt -> "charged");
        Execution<String> replayed = hashed.executeAsync(
                        intent(CHARGE), Codec.text(), attempt -> CompletableFuture.completedFuture("again"))
                .toCompletableFuture()
                .join();

        assertThat(replayed).isEqualTo(new Execution.Replayed<>("charged"));
        assertThat(events)
                .filteredOn(Event.OfRecord.class::isInstance)
                .hasSizeGreaterThan(1)
                .allSatisfy(
                        event -> assertThat(((Event.OfRecord) event).identity()).isEqualTo(hashed.stored(ID)));
        assertThat(eventNames()).contains("Replayed");
        assertThat(cache.find(hashed.stored(ID))).isPresent();
        assertThat(cache.find(ID)).isEmpty();
    }

    @Test
    void does_not_start_while_the_store_cannot_be_asked() {
        store.failNext(Verb.FIND, Fault.REFUSED);
        assertThatThrownBy(() -> SemelEngine.on(store).timer(time).build()).isInstanceOf(StoreException.class);
        store.failNext(Verb.CLAIM, Fault.REFUSED);
        assertThatThrownBy(() ->
                        SemelEngine.on(store).timer(time).hashedKeys(SECRET).build())
                .isInstanceOf(StoreException.class);
        store.failNext(Verb.SOME, Fault.REFUSED);
        assertThatThrownBy(() ->
                        SemelEngine.on(store).timer(time).hashedKeys(SECRET).build())
                .isInstanceOf(StoreException.class);
    }

    @Test
    void starts_after_the_answer_to_its_first_write_was_lost() {
        store.failNext(Verb.SETTLE, Fault.ANSWER_LOST);
        assertThatThrownBy(() ->
                        SemelEngine.on(store).timer(time).hashedKeys(SECRET).build())
                .isInstanceOf(StoreException.class);
        SemelEngine hashed =
                SemelEngine.on(store).timer(time).hashedKeys(SECRET).build();
        assertThat(hashed.execute(intent(CHARGE), Codec.text(), attempt -> "charged"))
                .isInstanceOf(Execution.Ran.class);
    }

    @Test
    void needs_a_secret_of_32_bytes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SemelEngine.on(store).hashedKeys(new byte[31]))
                .withMessageContaining("31 bytes, at least 32");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SemelEngine.on(store).hashedKeys("no base64!"))
                .withMessageContaining("not base64")
                .withMessageNotContaining("no base64!");
    }
}
