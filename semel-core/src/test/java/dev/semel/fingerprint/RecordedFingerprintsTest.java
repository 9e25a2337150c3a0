package dev.semel.fingerprint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The expected values were recorded with the first release of version 1, and never change. */
@DisplayName("Stored fingerprints of version 1")
class RecordedFingerprintsTest {

    private static final int DOCUMENTS = 2_000;

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
                    payment        | 5f30c375d84b1d2dde2eaaf3e3f138b8618940b0299bdb75423675a8b0a9f412
                    spaced         | 583e33803ab1c842de576201d86e4ff29e2bf8708c236feeb1d1c6db0942e713
                    escapes        | df992f47661e9e6ab3fd30480f303d173d77ca8ea80d995b843d090328d185dc
                    numbers        | 84399bb88d7e3dee664712f9fe9b36e50d77a73502aecc5eb7d5bb07730c3f1b
                    names          | ca8f32e63fbf4c2a4aa355fc377d82228ab8dd8da4f15535acd9d1b3aebdcae0
                    reversed       | 4d5525f6a645e7cd455e5b75412559c0d822a35071887fa1611f703fdcffc237
                    deep           | fa387017e8050a5e97e1dcf136585fd2393a771f0051d0cd44a5c398c0bf3400
                    long string    | 60ac7d6c527351b48123ae8c4a85c375a93b59625eae975857b94cdcc1cca2a7
                    duplicate name | e48db670f3236d8e52fa037e4b7ac7cd6b0d2a65862fcfefddd409506fb46f1d
                    lone surrogate | a8410d64865e1d7f58e942c4dced6be0b640afb90cab481cf82fd64bbe97b404
                    not JSON       | d06dab4398bf4dfc276589d78d5c1f7a6d8ff06889ad7d1c2019cf1550850db9
                    not UTF-8      | cdd255e98460e12823ddd26dfa967a152f535ee78069bc1cf4ce5c2c1de67d9b
                    """)
    void are_those_of_the_same_bodies_today(String name, String recorded) {
        assertThat(fingerprint(body(name))).isEqualTo("v1:" + recorded);
    }

    @ParameterizedTest(name = "seed {0}")
    @CsvSource({
        "1, 6b1efb622f181131ead3e395fed1a6add773f7099207822bd538e7d7ec78dcdb",
        "8785, 3cc6ecf8ab6f629f2aa8ec6e47f9facd8611ce4dc80eec36da8ddc42ff6f7d68",
        "20260917, c8800751db15dadbb0dae146401fba40337e932b0891af666796112241e0e770"
    })
    void are_those_of_the_same_random_bodies_today(long seed, String recorded) throws Exception {
        Random random = new Random(seed);
        JsonModel model = new JsonModel(random, 30, 40);
        MessageDigest all = MessageDigest.getInstance("SHA-256");
        for (int i = 0; i < DOCUMENTS; i++) {
            byte[] body = model.spelled(model.document()).getBytes(UTF_8);
            if (random.nextInt(8) == 0) {
                body[random.nextInt(body.length)] = (byte) random.nextInt(256);
            }
            all.update(fingerprint(body).getBytes(UTF_8));
            all.update(selected(body).getBytes(UTF_8));
        }
        assertThat(HexFormat.of().formatHex(all.digest())).isEqualTo(recorded);
    }

    private static byte[] body(String name) {
        if (name.equals("not UTF-8")) {
            return new byte[] {'"', (byte) 0xC0, (byte) 0xAF, '"'};
        }
        String json = switch (name) {
            case "payment" ->
                "{\"amount\":1999,\"currency\":\"EUR\",\"to\":{\"iban\":\"DE02\",\"name\":\"Zo\u00eb\"},\"items\":[1,2,3]}";
            case "spaced" -> " { \"b\" : [ 1 , 2.50 ] ,\r\n\t\"a\" : { } } ";
            case "escapes" -> "[\"\\u0041\\n\\u000a\\/\\\"\\\\\\u001f\\ud83d\\ude00\\u20ac\u20ac\\b\\f\\t\"]";
            case "numbers" ->
                "[0,-0,-0.0,1.0,1e2,1E+2,12.50,0.000001,1e-7,123456789012345678901,1234567890123456789012,"
                        + "9007199254740993,1e999999999999999999999,-2.5e-99999999999999999999,1e21,1e20,0e5]";
            case "names" ->
                "{\"\ufb33\":1,\"\ud83d\ude00\":2,\"\\r\":3,\"a\\\"\":4,\"a\":5,\"a!\":6,\"a#\":7,\"\":8,\"a\\\\\":9,"
                        + "\"a[\":10,\"a]\":11,\"\u00e9\":12,\"a\\u0001\":13,\"\\uffff\":14,\"\\ud7ff\":15}";
            case "reversed" ->
                IntStream.iterate(9_999, i -> i >= 0, i -> i - 1)
                        .mapToObj(i -> "\"n" + i + "\":{\"z\":" + i + ",\"a\":\"" + i + "\"}")
                        .collect(Collectors.joining(",", "{", "}"));
            case "deep" -> "{\"b\":0,\"a\":".repeat(99) + "[]" + "}".repeat(99);
            case "long string" -> "\"" + "text \\n \u00fc \\\" ".repeat(5_000) + "\"";
            case "duplicate name" -> "{\"a\":1,\"b\":2,\"\\u0061\":3}";
            case "lone surrogate" -> "[\"\\ud800\"]";
            default -> "amount=1";
        };
        return json.getBytes(UTF_8);
    }

    private static String fingerprint(byte[] body) {
        return Fingerprinter.sha256()
                .of(Parts.builder().body("application/json", body).build())
                .value();
    }

    private static String selected(byte[] body) {
        return Fingerprinter.sha256()
                .of(Parts.builder()
                        .body(BodyForm.fields("/a", "/0", "/aa/b", "/a\"", "/1/0"), "application/json", body)
                        .build())
                .value();
    }
}
