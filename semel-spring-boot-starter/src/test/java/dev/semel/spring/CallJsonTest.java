package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.semel.Codec;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import tools.jackson.databind.json.JsonMapper;

@DisplayName("The JSON of @Idempotent methods")
class CallJsonTest {

    record Receipt(
            String id, BigDecimal amount, Instant at, Duration within, Optional<String> note, List<Long> lines) {}

    private static final Receipt RECEIPT = new Receipt(
            "r-1",
            new BigDecimal("12.50"),
            Instant.parse("2026-11-18T01:02:03.000000004Z"),
            Duration.ofMinutes(90),
            Optional.of("tea"),
            List.of(1L, Long.MAX_VALUE));

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(SemelAutoConfiguration.class, SemelJsonAutoConfiguration.class))
            .withPropertyValues("semel.store=memory:");

    static Stream<CallJson> both() {
        return Stream.of(new Jackson2Json(Jackson2Json.mapper()), new Jackson3Json(Jackson3Json.mapper()));
    }

    @Test
    void recorded_by_one_jackson_is_read_by_the_other() {
        for (CallJson writer : both().toList()) {
            byte[] recorded = writer.codec(Receipt.class).encode(RECEIPT);
            assertThat(both().map(reader -> reader.codec(Receipt.class).decode(recorded)))
                    .containsExactly(RECEIPT, RECEIPT);
        }
    }

    @Test
    void compared_is_the_same_with_both() throws Exception {
        ObjectMapper tree = new ObjectMapper();
        List<CallJson> both = both().toList();

        assertThat(tree.readTree(both.get(0).comparable(Map.of("receipt", RECEIPT))))
                .isEqualTo(tree.readTree(both.get(1).comparable(Map.of("receipt", RECEIPT))));
    }

    @ParameterizedTest
    @MethodSource("both")
    void refuses_to_compare_objects_without_properties(CallJson json) {
        assertThatThrownBy(() -> json.comparable(Map.of("file", new Object() {})))
                .isInstanceOf(CallJson.UnwritableException.class)
                .hasMessageContaining("no properties discovered");
    }

    @ParameterizedTest
    @MethodSource("both")
    void fails_on_a_record_that_is_no_result_of_this_type(CallJson json) {
        Codec<Object> codec = json.codec(Receipt.class);

        assertThatThrownBy(() -> codec.decode(new byte[] {'[', '1', ']'})).hasMessageContaining("Receipt");
    }

    @Test
    void is_written_by_the_mapper_that_the_application_has() {
        runner.withBean(ObjectMapper.class, ObjectMapper::new)
                .run(context -> assertThat(context.getBean(CallJson.class)).isInstanceOf(Jackson2Json.class));
        runner.withBean(ObjectMapper.class, ObjectMapper::new)
                .withBean(JsonMapper.class, () -> JsonMapper.builder().build())
                .run(context -> assertThat(context.getBean(CallJson.class)).isInstanceOf(Jackson3Json.class));
    }

    @Test
    void is_written_by_the_jackson_on_the_class_path_where_the_application_has_no_mapper() {
        runner.run(context -> assertThat(context.getBean(CallJson.class)).isInstanceOf(Jackson3Json.class));
        runner.withClassLoader(new FilteredClassLoader("tools.jackson"))
                .run(context -> assertThat(context.getBean(CallJson.class)).isInstanceOf(Jackson2Json.class));
        runner.withClassLoader(new FilteredClassLoader("com.fasterxml.jackson.databind"))
                .run(context -> assertThat(context.getBean(CallJson.class)).isInstanceOf(Jackson3Json.class));
        runner.withClassLoader(new FilteredClassLoader("tools.jackson", "com.fasterxml.jackson.databind"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(CallJson.class));
    }
}
