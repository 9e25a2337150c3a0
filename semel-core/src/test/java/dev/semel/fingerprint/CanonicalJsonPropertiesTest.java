package dev.semel.fingerprint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.erdtman.jcs.JsonCanonicalizer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Canonical JSON of random documents")
class CanonicalJsonPropertiesTest {

    private static final int DOCUMENTS = 3_000;

    /** Decimals of up to 15 digits and of ordinary size are what their double prints, so that both forms agree. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 8785, 20260917})
    void is_what_another_implementation_of_rfc_8785_writes(long seed) throws Exception {
        JsonModel model = new JsonModel(new Random(seed), 15, 280);
        for (int i = 0; i < DOCUMENTS; i++) {
            String json = model.spelled(model.document());
            assertThat(canonical(json))
                    .as("seed %d, document %d: %s", seed, i, json)
                    .isEqualTo(new JsonCanonicalizer(json).getEncodedString());
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {2, 8786, 20260918})
    void is_the_same_for_every_spelling_and_for_itself(long seed) {
        JsonModel model = new JsonModel(new Random(seed), 40, 600);
        for (int i = 0; i < DOCUMENTS; i++) {
            Object document = model.document();
            String one = model.spelled(document);
            String other = model.spelled(document);
            String canonical = canonical(one);
            assertThat(canonical(other))
                    .as("seed %d, document %d: %s and %s", seed, i, one, other)
                    .isEqualTo(canonical);
            assertThat(canonical(canonical))
                    .as("seed %d, document %d: %s", seed, i, one)
                    .isEqualTo(canonical);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {3, 8787, 20260919})
    void differs_between_a_document_and_what_a_small_change_makes_of_it(long seed) {
        JsonModel model = new JsonModel(new Random(seed), 40, 30);
        for (int i = 0; i < DOCUMENTS; i++) {
            Object document = model.document();
            Object changed = model.changed(document);
            String one = model.spelled(document);
            String other = model.spelled(changed);
            assertThat(canonical(one).equals(canonical(other)))
                    .as("seed %d, document %d: %s and %s", seed, i, one, other)
                    .isEqualTo(document.equals(changed));
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {4, 8788})
    void is_never_shared_by_two_documents(long seed) {
        JsonModel model = new JsonModel(new Random(seed), 2, 1);
        Map<String, Object> seen = new HashMap<>();
        for (int i = 0; i < 20 * DOCUMENTS; i++) {
            Object document = model.document();
            Object before = seen.putIfAbsent(canonical(model.spelled(document)), document);
            assertThat(before == null || before.equals(document))
                    .as("seed %d, document %d: %s and %s", seed, i, document, before)
                    .isTrue();
        }
    }

    /** Whatever the bytes, the answer is a canonical form of itself, an opaque body, or a limit; never a fault. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {5, 8789})
    void survives_broken_bytes(long seed) {
        Random random = new Random(seed);
        JsonModel model = new JsonModel(random, 20, 50);
        for (int i = 0; i < DOCUMENTS; i++) {
            byte[] body = model.spelled(model.document()).getBytes(UTF_8);
            for (int j = random.nextInt(4); j >= 0; j--) {
                body[random.nextInt(body.length)] = (byte) random.nextInt(256);
            }
            body = Arrays.copyOf(body, body.length - random.nextInt(2));
            if (CanonicalJson.standard().of(body) instanceof Canonical.Json json) {
                assertThat(canonical(new String(json.bytes(), UTF_8)))
                        .as("seed %d, document %d", seed, i)
                        .isEqualTo(new String(json.bytes(), UTF_8));
            }
        }
    }

    private static String canonical(String json) {
        Canonical result = CanonicalJson.standard().of(json.getBytes(UTF_8));
        assertThat(result).as(json).isInstanceOf(Canonical.Json.class);
        return new String(((Canonical.Json) result).bytes(), UTF_8);
    }
}
