package dev.semel.fingerprint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The coding of a body")
class ContentCodingTest {

    private static final int MOST = 1 << 20;
    private static final ContentCoding GZIP = ContentCoding.of(List.of("gzip"));
    private static final ContentCoding DEFLATE = ContentCoding.of(List.of("deflate"));
    private static final byte[] JSON = "{\"a\":1,\"b\":[true]}".getBytes(UTF_8);
    private static final byte[] SAME_JSON = "{ \"b\" : [true], \"a\" : 1.0 }".getBytes(UTF_8);

    private static byte[] gzip(byte[] content) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(content);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return out.toByteArray();
    }

    private static byte[] deflate(byte[] content) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (OutputStream deflate = new DeflaterOutputStream(out)) {
            deflate.write(content);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return out.toByteArray();
    }

    private static byte[] joined(byte[]... pieces) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] piece : pieces) {
            out.writeBytes(piece);
        }
        return out.toByteArray();
    }

    private static Content read(ContentCoding coding, byte[] body) {
        return coding.read(BodyForm.byMediaType(), "application/json", body, MOST);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "identity", "Identity", " identity , IDENTITY", ",,"})
    void may_be_none(String value) {
        assertThat(ContentCoding.of(List.of(value)).isIdentity()).isTrue();
        assertThat(ContentCoding.of(List.of()).isIdentity()).isTrue();
    }

    @Test
    void that_is_none_leaves_a_body_of_any_length_as_it_is() {
        assertThat(ContentCoding.of(List.of()).decode(JSON, 1)).hasValue(JSON);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    gzip              | gzip
                    GZip              | gzip
                    x-gzip            | gzip
                    identity, gzip    | gzip
                    ,gzip,            | gzip
                    gzip , br         | gzip,br
                    br, gzip          | br,gzip
                    gzip,gzip         | gzip,gzip
                    gzip;q=1          | gzip;q=1
                    """)
    void has_a_name_that_counts(String value, String name) {
        assertThat(ContentCoding.of(List.of(value)).name()).isEqualTo(name);
    }

    @Test
    void is_the_same_in_one_header_line_or_two() {
        assertThat(ContentCoding.of(List.of("br", "gzip")).name()).isEqualTo("br,gzip");
    }

    @Test
    void lets_json_count_by_its_meaning() {
        assertThat(read(GZIP, gzip(SAME_JSON))).isEqualTo(read(GZIP, gzip(JSON)));
        assertThat(read(DEFLATE, deflate(SAME_JSON))).isEqualTo(read(DEFLATE, deflate(JSON)));
        assertThat(read(GZIP, gzip("{\"a\":2}".getBytes(UTF_8)))).isNotEqualTo(read(GZIP, gzip(JSON)));
    }

    @Test
    void lets_named_fields_count_alone() {
        BodyForm fields = BodyForm.fields("/a");
        byte[] other = "{\"a\":1,\"b\":7}".getBytes(UTF_8);

        assertThat(GZIP.read(fields, "application/json", gzip(JSON), MOST))
                .isEqualTo(GZIP.read(fields, "application/json", gzip(other), MOST));
    }

    @Test
    void lets_every_other_type_count_by_its_bytes() {
        byte[] body = gzip(JSON);

        assertThat(GZIP.read(BodyForm.byMediaType(), "text/plain", body, MOST)).isEqualTo(Content.raw(body));
        assertThat(GZIP.read(BodyForm.byMediaType(), null, body, MOST)).isEqualTo(Content.raw(body));
        assertThat(GZIP.read(BodyForm.byMediaType(), "application/json; charset=utf-16", body, MOST))
                .isEqualTo(Content.raw(body));
    }

    @ParameterizedTest
    @ValueSource(strings = {"br", "zstd", "compress", "gzip, gzip", "gzip, br", "deflate, gzip", "gzip;q=1"})
    void that_is_not_known_or_not_alone_lets_bodies_count_by_their_bytes(String coding) {
        byte[] body = gzip(JSON);

        assertThat(read(ContentCoding.of(List.of(coding)), body)).isEqualTo(Content.raw(body));
    }

    @Test
    void that_is_damaged_lets_a_body_count_by_its_bytes() {
        byte[] whole = gzip(JSON);
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThat(read(GZIP, cut)).as("cut to " + length).isEqualTo(Content.raw(cut));
        }
        for (int at = 0; at < whole.length; at++) {
            byte[] damaged = whole.clone();
            damaged[at] ^= 0x40;
            boolean timeOrSystem = at >= 4 && at < 10;
            boolean unusedBits = at == whole.length - 9;
            assertThat(read(GZIP, damaged))
                    .as("damaged at " + at)
                    .isEqualTo(timeOrSystem || unusedBits ? read(GZIP, whole) : Content.raw(damaged));
        }
    }

    @Test
    void that_is_damaged_at_random_never_has_another_meaning() {
        Random random = new Random(1952);
        byte[] meaning = CanonicalJson.standard().of(JSON) instanceof Canonical.Json json ? json.bytes() : new byte[0];
        for (int i = 0; i < 20_000; i++) {
            byte[] damaged = random.nextBoolean() ? gzip(JSON) : deflate(JSON);
            for (int n = random.nextInt(3); n >= 0; n--) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
            }
            assertThat(read(random.nextBoolean() ? GZIP : DEFLATE, damaged))
                    .isIn(Content.raw(damaged), Content.json(meaning, meaning.length));
        }
    }

    @Test
    void that_ends_before_the_body_does_lets_it_count_by_its_bytes() {
        byte[] garbage = joined(gzip(JSON), new byte[] {0});
        byte[] members = joined(gzip(new byte[0]), gzip(JSON));
        byte[] zlib = joined(deflate(JSON), new byte[] {0});

        assertThat(read(GZIP, garbage)).isEqualTo(Content.raw(garbage));
        assertThat(read(GZIP, members)).isEqualTo(Content.raw(members));
        assertThat(read(DEFLATE, zlib)).isEqualTo(Content.raw(zlib));
    }

    @Test
    void that_was_not_applied_lets_a_body_count_by_its_bytes() {
        assertThat(read(GZIP, JSON)).isEqualTo(Content.raw(JSON));
        assertThat(read(GZIP, deflate(JSON))).isEqualTo(Content.raw(deflate(JSON)));
        assertThat(read(DEFLATE, gzip(JSON))).isEqualTo(Content.raw(gzip(JSON)));
        assertThat(read(GZIP, new byte[0])).isEqualTo(Content.raw(new byte[0]));
    }

    @Test
    void lets_json_without_a_single_meaning_count_by_the_bytes_that_were_sent() {
        byte[] twice = gzip("{\"a\":1,\"a\":2}".getBytes(UTF_8));

        assertThat(read(GZIP, twice)).isEqualTo(Content.raw(twice));
    }

    @Test
    void is_read_with_every_optional_part_of_a_gzip_header() {
        byte[] plain = gzip(JSON);
        byte[] deflated = Arrays.copyOfRange(plain, 10, plain.length);
        byte[] fixed = {0x1F, (byte) 0x8B, 8, 2 | 4 | 8 | 16, 0, 0, 0, 0, 0, 3};
        byte[] optional = joined(fixed, new byte[] {3, 0, 1, 2, 3}, "a.json\0".getBytes(UTF_8), "c\0".getBytes(UTF_8));
        CRC32 crc = new CRC32();
        crc.update(optional);
        byte[] check = {(byte) crc.getValue(), (byte) (crc.getValue() >> 8)};
        byte[] wrongCheck = {(byte) ~crc.getValue(), (byte) (crc.getValue() >> 8)};

        assertThat(GZIP.decode(joined(optional, check, deflated), MOST)).hasValue(JSON);
        assertThat(GZIP.decode(joined(optional, wrongCheck, deflated), MOST)).isEmpty();
        assertThat(GZIP.decode(joined(fixed, new byte[] {-1, -1}, deflated), MOST))
                .isEmpty();
    }

    @Test
    void is_no_way_to_have_a_bomb_unpacked() {
        byte[] huge = gzip(new byte[64 << 20]);
        byte[] gigantic = gzip(gzip(new byte[64 << 20]));
        byte[] spaces = new byte[MOST];
        Arrays.fill(spaces, (byte) ' ');
        spaces[0] = '0';

        assertThat(GZIP.decode(huge, Integer.MAX_VALUE))
                .as("grows a thousandfold")
                .isEmpty();
        assertThat(read(GZIP, huge)).isEqualTo(Content.raw(huge));
        assertThat(read(ContentCoding.of(List.of("gzip, gzip")), gigantic)).isEqualTo(Content.raw(gigantic));
        assertThat(read(GZIP, gzip(spaces)))
                .as("within the size, but not the growth")
                .isEqualTo(Content.raw(gzip(spaces)));
        assertThat(read(DEFLATE, deflate(spaces))).isEqualTo(Content.raw(deflate(spaces)));
    }

    @Test
    void is_read_up_to_the_limit_and_no_byte_further() {
        byte[] noise = new byte[MOST];
        new Random(7).nextBytes(noise);

        assertThat(GZIP.decode(gzip(noise), MOST)).hasValue(noise);
        assertThat(GZIP.decode(gzip(noise), MOST - 1)).isEmpty();
        assertThat(DEFLATE.decode(deflate(noise), MOST - 1)).isEmpty();
        byte[] zeros = new byte[64 << 10];
        assertThat(GZIP.decode(gzip(zeros), MOST))
                .as("short enough to grow as it likes")
                .hasValue(zeros);
    }

    @Test
    void takes_no_more_memory_for_a_bomb_than_for_the_limit() {
        byte[] huge = gzip(new byte[256 << 20]);
        com.sun.management.ThreadMXBean threads =
                (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();
        GZIP.decode(huge, MOST);
        long before = threads.getCurrentThreadAllocatedBytes();
        GZIP.decode(huge, MOST);

        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(4L * MOST);
    }

    @Test
    void does_not_hide_json_that_is_nested_too_deep() {
        byte[] deep = gzip("[".repeat(200).getBytes(UTF_8));

        assertThatExceptionOfType(BodyLimitException.class).isThrownBy(() -> read(GZIP, deep));
    }
}
