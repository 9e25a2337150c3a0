package dev.semel.messaging.amqp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.impl.LongStringHelper;
import dev.semel.messaging.amqp.spring.SpringAmqpMessageIds;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.amqp.core.MessageBuilder;

@DisplayName("The identity of an AMQP message:")
class AmqpMessageIdsTest {

    private record Case(@Nullable Object header, String key) {}

    private static String keyOf(@Nullable Object header) {
        Map<String, Object> headers = new HashMap<>();
        headers.put(AmqpMessageIds.KEY_HEADER, header);
        BasicProperties properties =
                new BasicProperties.Builder().headers(headers).messageId("p1").build();
        return AmqpMessageIds.of(new Delivery(new Envelope(1, false, "", "orders"), properties, "paid".getBytes(UTF_8)))
                .key()
                .value();
    }

    private static String springKeyOf(@Nullable Object header) {
        return SpringAmqpMessageIds.of(MessageBuilder.withBody("paid".getBytes(UTF_8))
                        .setMessageId("p1")
                        .setHeader(SpringAmqpMessageIds.KEY_HEADER, header)
                        .build())
                .key()
                .value();
    }

    static List<Case> headers() {
        return List.of(
                new Case("order-7", "order-7"),
                new Case(7, "7"),
                new Case(7L, "7"),
                new Case("", "p1"),
                new Case(null, "p1"));
    }

    @ParameterizedTest
    @MethodSource("headers")
    void is_the_header_unless_empty_else_the_message_id(Case given) {
        assertThat(springKeyOf(given.header)).isEqualTo(given.key);
        Object header = given.header instanceof String text ? LongStringHelper.asLongString(text) : given.header;
        assertThat(keyOf(header)).isEqualTo(given.key);
    }

    /** The string form of a byte array differs each time: such a message would be handled twice. */
    static List<Object> notText() {
        return List.of(new byte[] {1}, Map.of("a", 1), List.of("a"), true, 1.5, new Date());
    }

    @ParameterizedTest
    @MethodSource("notText")
    void is_not_a_header_of_another_type(Object header) {
        assertThatThrownBy(() -> keyOf(header))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("it must be a string or an integer");
        assertThatThrownBy(() -> springKeyOf(header))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("it must be a string or an integer");
    }
}
