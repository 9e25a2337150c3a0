package dev.semel.fingerprint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Canonical JSON agrees with a plain reading by another parser")
class ReferenceJsonTest {

    private static final CanonicalJson.Limits NARROW = new CanonicalJson.Limits(4096, 4, 12);

    private static final String[] PIECES = {
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"a\":",
        "\"b\":",
        "\"\\u0061\":",
        "\"\ufb33\":",
        "\"\ud83d\ude00\":",
        "\"\\n\":",
        "\"\\ud83d\\ude00\"",
        "\"\\ud83d\"",
        "\"\\ude00\\ud83d\"",
        "\"\\u00e9\u20ac\\/\\\\\"",
        "\"\\",
        "\"\t\"",
        "\"\u007f\"",
        "0",
        "-0",
        "01",
        "-",
        "1.",
        ".5",
        "1e",
        "1e+",
        "1E-3",
        "12.50",
        "1e20",
        "1e22",
        "0.0000001",
        "123456789012",
        "1234567890123",
        "true",
        "false",
        "null",
        "tru",
        "nulll",
        "NaN",
        " ",
        "\n",
        "\r",
        "\t",
        "\f",
        "\u00a0",
        "\u0000",
        "\uFEFF",
        "'a'",
        "// x\n",
        "#",
        "{}",
        "[]",
        "[1,2]",
        "{\"a\":1}",
        "{\"b\":1,\"a\":2}",
        "[[",
        "]]",
        "[[[[",
        "]]]]"
    };

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {11, 8785, 20261116})
    void on_documents_and_on_what_accidents_make_of_them(long seed) {
        Random random = new Random(seed);
        JsonModel model = new JsonModel(random, 25, 40);
        for (int i = 0; i < 5_000; i++) {
            byte[] body = model.spelled(model.document()).getBytes(UTF_8);
            for (int accidents = random.nextInt(3); accidents > 0 && body.length > 0; accidents--) {
                body = damaged(body, random);
            }
            assertAgreement(body, i % 2 == 0 ? CanonicalJson.Limits.DEFAULT : NARROW);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {12, 8786, 20261117})
    void on_pieces_of_json_in_any_order(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 40_000; i++) {
            StringBuilder body = new StringBuilder();
            for (int pieces = random.nextInt(7); pieces >= 0; pieces--) {
                body.append(PIECES[random.nextInt(PIECES.length)]);
            }
            assertAgreement(body.toString().getBytes(UTF_8), NARROW);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {13, 8787})
    void on_what_is_utf8(long seed) {
        Random random = new Random(seed);
        int[] borders = {
            0, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE
        };
        for (int i = 0; i < 40_000; i++) {
            byte[] bytes = new byte[random.nextInt(6)];
            for (int j = 0; j < bytes.length; j++) {
                int choice = random.nextInt(borders.length + 7);
                bytes[j] = (byte) (choice < borders.length ? borders[choice] : 0xEF + choice - borders.length);
            }
            assertThat(Utf8.isWellFormed(bytes))
                    .as(HexFormat.of().formatHex(bytes))
                    .isEqualTo(isDecodable(bytes));
        }
    }

    private static void assertAgreement(byte[] body, CanonicalJson.Limits limits) {
        assertThat(judged(body, limits))
                .as("%s", HexFormat.of().formatHex(body))
                .isEqualTo(new ReferenceJson(limits).judge(body));
    }

    private static String judged(byte[] body, CanonicalJson.Limits limits) {
        try {
            return new CanonicalJson(limits).of(body) instanceof Canonical.Json json
                    ? new String(json.bytes(), UTF_8)
                    : "opaque";
        } catch (BodyLimitException e) {
            return e.limit().name();
        }
    }

    private static byte[] damaged(byte[] body, Random random) {
        int at = random.nextInt(body.length);
        int length = 1 + random.nextInt(Math.min(8, body.length - at));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(body, 0, at);
        switch (random.nextInt(4)) {
            case 0 -> out.write(random.nextInt(256));
            case 1 -> out.writeBytes(PIECES[random.nextInt(PIECES.length)].getBytes(UTF_8));
            case 2 -> {
                byte[] twice = Arrays.copyOfRange(body, at, at + length);
                out.writeBytes(twice);
                out.writeBytes(twice);
            }
            default -> {}
        }
        out.write(body, at + length, body.length - at - length);
        return out.toByteArray();
    }

    private static boolean isDecodable(byte[] bytes) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }
}
