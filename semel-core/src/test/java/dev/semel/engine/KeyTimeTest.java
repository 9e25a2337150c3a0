package dev.semel.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The time of a key")
class KeyTimeTest {

    @ParameterizedTest
    @CsvSource({
        // The examples of RFC 9562, appendix A.
        "017F22E2-79B0-7CC3-98C4-DC0C0C07398F, 2022-02-22T19:22:22Z",
        "017f22e2-79b0-7cc3-98c4-dc0c0c07398f, 2022-02-22T19:22:22Z",
        "C232AB00-9414-11EC-B3C8-9F6BDECED846, 2022-02-22T19:22:22Z",
        "1EC9414C-232A-6B00-B3C8-9F6BDECED846, 2022-02-22T19:22:22Z",
        "01FWHE4YDGFK1SHH6W1G60EECF, 2022-02-22T19:22:22Z",
        "01ARZ3NDEKTSV4RRFFQ69G5FAV, 2016-07-30T23:54:10.259Z"
    })
    void is_read_from_canonical_forms(String key, Instant time) {
        assertThat(KeyTime.of(key)).isEqualTo(time);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "order-4711",
                "919108f7-52d1-4320-9bac-f847db4148a8", // version 4
                "017F22E2-79B0-8CC3-98C4-DC0C0C07398F", // version 8
                "017F22E2-79B0-7CC3-18C4-DC0C0C07398F", // variant of old systems
                "017F22E2-79B0-7CC3-C8C4-DC0C0C07398F", // variant of Microsoft
                "017F22E279B07CC398C4DC0C0C07398F", // no dashes
                "{017F22E2-79B0-7CC3-98C4-DC0C0C07398F}",
                "017F22E2-79B0-7CC3-98C4-DC0C0C07398F ",
                "urn:uuid:017F22E2-79B0-7CC3-98C4-DC0C0C07398F",
                "00000000-0000-7000-8000-000000000000", // 1970
                "ffffffff-ffff-7fff-8fff-ffffffffffff", // the year 10889
                "00000000-0000-1000-8000-000000000000", // 1582
                "02000000-0000-7000-8000-000000000000", // 2039
                "01arz3ndektsv4rrffq69g5fav", // lower case
                "01ARZ3NDEKTSV4RRFFQ69G5FAI", // no such digit
                "01ARZ3NDEKTSV4RRFFQ69G5FA",
                "7ZZZZZZZZZZZZZZZZZZZZZZZZZ", // the year 10889
                "01000000000000000000000000", // 2004
                "MFRGGZDFMZTWQ2LKNNWG23TPOA" // base 32 of RFC 4648
            })
    void is_none_for_anything_else(String key) {
        assertThat(KeyTime.of(key)).isNull();
    }

    @Test
    @DisplayName("is not invented for random keys")
    void is_not_invented() {
        for (int i = 0; i < 10_000; i++) {
            assertThat(KeyTime.of(UUID.randomUUID().toString())).isNull();
        }
    }
}
