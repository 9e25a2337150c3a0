package dev.semel.fingerprint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.semel.Fingerprint;
import java.lang.management.ManagementFactory;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Counts what the thread allocates, which does not depend on the machine's speed.
 *
 * <p>The least of several runs counts: in the first ones the virtual machine itself allocates on this thread, when it links
 * code. The canonical form takes as much as the body. An object whose members are out of order takes that again while they
 * are moved, and twelve bytes and some growth for each member.
 */
@DisplayName("A fingerprint of a body allocates")
class FingerprintAllocationTest {

    /** What does not depend on the body: the digest, the lists, the hexadecimal text. */
    private static final long FIXED = 4_096;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @ParameterizedTest(name = "{0} at most {1} times its size")
    @CsvSource(delimiter = '|', textBlock = """
                    flat object               | 1.5
                    nested objects            | 4.0
                    array of numbers          | 1.5
                    array of objects          | 1.5
                    long text with escapes    | 1.5
                    members in reverse order  | 4.5
                    """)
    void little_more_than_its_size(String shape, double factor) {
        for (int size : new int[] {1 << 10, 1 << 16, 1 << 20}) {
            byte[] body = body(shape, size);
            assertThat(body.length).isBetween(size / 2, size * 5 / 4);
            long allocated =
                    LongStream.generate(() -> allocatedBy(body)).limit(5).min().orElseThrow();

            assertThat(allocated)
                    .as("%s of %d bytes", shape, body.length)
                    .isLessThan((long) (factor * body.length) + FIXED);
        }
    }

    private long allocatedBy(byte[] body) {
        long thread = Thread.currentThread().getId();
        long before = threads.getThreadAllocatedBytes(thread);
        fingerprint(body);
        return threads.getThreadAllocatedBytes(thread) - before;
    }

    private static Fingerprint fingerprint(byte[] body) {
        return Fingerprinter.sha256()
                .of(Parts.builder().body("application/json", body).build());
    }

    private static byte[] body(String shape, int size) {
        String json = switch (shape) {
            case "flat object" -> members(size / 32, i -> String.format("\"name-%09d\":\"value-%06d\"", i, i));
            case "nested objects" ->
                "{\"b\":\"%s\",\"a\":".formatted("x".repeat(size / 40)).repeat(30) + "1" + "}".repeat(30);
            case "array of numbers" -> elements(size / 12, i -> String.format("%07d.500", 1_000_000 + i));
            case "array of objects" ->
                elements(size / 32, i -> String.format("{\"amount\":%07d,\"unit\":\"EUR\"}", 1_000_000 + i));
            case "long text with escapes" -> "\"" + "text \\n \\u00fc ".repeat(size / 16) + "\"";
            case "members in reverse order" -> members(size / 12, i -> String.format("\"n%06d\":1", size - i));
            default -> throw new IllegalArgumentException(shape);
        };
        return json.getBytes(UTF_8);
    }

    private static String members(int count, IntFunction<String> member) {
        return IntStream.range(0, count).mapToObj(member).collect(Collectors.joining(",", "{", "}"));
    }

    private static String elements(int count, IntFunction<String> element) {
        return IntStream.range(0, count).mapToObj(element).collect(Collectors.joining(",", "[", "]"));
    }
}
