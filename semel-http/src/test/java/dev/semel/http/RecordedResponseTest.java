package dev.semel.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.semel.Response;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RecordedResponseTest {

    @Test
    void what_is_written_is_read_again() {
        Headers headers =
                Headers.of("Link", "a").with("X-É", "€").with("link", "b").with("Empty", "");
        byte[] bytes = new byte[70_000];
        new Random(1).nextBytes(bytes);
        RecordedResponse response = RecordedResponse.of(201, headers, Body.of(bytes));

        assertThat(RecordedResponse.from(response.toResponse())).hasValue(response);
        RecordedResponse large = RecordedResponse.notRetained(200, headers);
        assertThat(RecordedResponse.from(large.toResponse())).hasValue(large);
        assertThat(large.retained()).isFalse();
    }

    /** Records outlive releases: these bytes must be readable for ever. */
    @Test
    void version_1_has_this_form() {
        byte[] stored = RecordedResponse.of(201, Headers.of("A", "b"), Body.ofText("hi"))
                .toResponse()
                .bytes();

        assertThat(HexFormat.of().formatHex(stored)).isEqualTo("010000c901014101620268" + "69");
    }

    /** Releases that know no trailers read nothing here, and answer that the response was not kept. */
    @Test
    void version_1_with_trailers_has_this_form() {
        RecordedResponse response =
                new RecordedResponse(200, Headers.NONE, Body.ofText("hi"), true, Headers.of("A", "b"));
        byte[] stored = response.toResponse().bytes();

        assertThat(HexFormat.of().formatHex(stored)).isEqualTo("010200c800026869" + "0101410162");
        assertThat(RecordedResponse.from(Response.of(stored))).hasValue(response);
        for (int length = 0; length < stored.length; length++) {
            assertThat(RecordedResponse.from(Response.of(Arrays.copyOf(stored, length))))
                    .isEmpty();
        }
    }

    @Test
    void bytes_that_are_cut_extended_or_changed_are_not_read_as_something_else_than_a_response() {
        byte[] stored = RecordedResponse.of(200, Headers.of("A", "b"), Body.ofText("body"))
                .toResponse()
                .bytes();
        for (int length = 0; length < stored.length; length++) {
            assertThat(RecordedResponse.from(Response.of(Arrays.copyOf(stored, length))))
                    .isEmpty();
        }
        assertThat(RecordedResponse.from(Response.of(Arrays.copyOf(stored, stored.length + 1))))
                .isEmpty();
        byte[] newer = stored.clone();
        newer[0] = 2;
        assertThat(RecordedResponse.from(Response.of(newer))).isEmpty();
    }

    @Test
    void random_bytes_are_never_an_exception() {
        Random random = new Random(42);
        for (int i = 0; i < 100_000; i++) {
            byte[] bytes = new byte[random.nextInt(40)];
            random.nextBytes(bytes);
            if (bytes.length > 1) {
                bytes[0] = 1;
                bytes[1] &= 3;
            }
            RecordedResponse.from(Response.of(bytes));
        }
    }

    @Test
    void headers_that_must_not_be_kept_are_not_even_held() {
        Headers headers = Headers.of("Set-Cookie", "a")
                .with("DATE", "now")
                .with("connection", "X-Hop , close")
                .with("x-hop", "1")
                .with("Content-Length", "3")
                .with("Kept", "yes");

        assertThat(RecordedResponse.of(200, headers, Body.EMPTY).headers()).isEqualTo(Headers.of("Kept", "yes"));
    }

    @Test
    void a_status_has_three_digits() {
        assertThatIllegalArgumentException().isThrownBy(() -> RecordedResponse.of(0, Headers.NONE, Body.EMPTY));
    }
}
