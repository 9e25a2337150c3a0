package dev.semel.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Response;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A recorded answer")
class RecordedReplyTest {

    private static RecordedReply example() {
        Metadata trailers = new Metadata();
        trailers.put(Metadata.Key.of("a", Metadata.ASCII_STRING_MARSHALLER), "1");
        trailers.put(Metadata.Key.of("b-bin", Metadata.BINARY_BYTE_MARSHALLER), new byte[] {-1});
        return RecordedReply.failure(Status.NOT_FOUND.withDescription("no"), trailers);
    }

    /** What this release has written, every later one must read. */
    @Test
    void has_a_form_that_does_not_change() {
        String ok = "47010200" + "00000000" + "00000000" + "00000002" + "6869";
        assertThat(HexFormat.of()
                        .formatHex(RecordedReply.ok(Shop.CHARGE, Shop.bytes("hi"))
                                .toResponse()
                                .bytes()))
                .isEqualTo(ok);
        String failure = "47010405" + "00000002" + "6e6f" + "00000000" + "00000002" + "00000001" + "61" + "00000001"
                + "31" + "00000005" + "622d62696e" + "00000001" + "ff";
        assertThat(HexFormat.of().formatHex(example().toResponse().bytes())).isEqualTo(failure);
        RecordedReply read = RecordedReply.from(Response.of(HexFormat.of().parseHex(failure)))
                .orElseThrow();
        assertThat(read.status().getCode()).isEqualTo(Status.Code.NOT_FOUND);
        assertThat(read.toResponse()).isEqualTo(example().toResponse());
    }

    @Test
    void is_read_only_if_it_is_whole() {
        byte[] whole = example().toResponse().bytes();
        for (int length = 0; length < whole.length; length++) {
            assertThat(RecordedReply.from(Response.of(Arrays.copyOf(whole, length))))
                    .as("of %s bytes", length)
                    .isEmpty();
        }
        assertThat(RecordedReply.from(Response.of(Arrays.copyOf(whole, whole.length + 1))))
                .isEmpty();
    }

    @Test
    void is_never_more_than_its_bytes_whatever_they_say() {
        Random random = new Random(7);
        byte[] whole = example().toResponse().bytes();
        for (int i = 0; i < 20_000; i++) {
            byte[] changed = whole.clone();
            changed[random.nextInt(changed.length)] = (byte) random.nextInt();
            changed[random.nextInt(changed.length)] = (byte) random.nextInt();
            RecordedReply.from(Response.of(changed)).ifPresent(RecordedReply::toResponse);
        }
    }

    @Test
    void of_a_failure_has_no_status_ok() {
        assertThatThrownBy(() -> RecordedReply.failure(Status.OK, new Metadata()))
                .hasMessageContaining("OK");
    }

    @Test
    void shows_no_content() {
        assertThat(RecordedReply.ok(Shop.CHARGE, Shop.bytes("secret")).toString())
                .doesNotContain("secret")
                .contains("6 bytes");
    }
}
