package dev.semel.messaging.amqp;

import com.rabbitmq.client.Channel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;

/**
 * A RabbitMQ server that the test does not start. The number of unacknowledged messages is read with {@code rabbitmqctl},
 * since AMQP does not provide it.
 */
record RabbitBroker(String uri) implements AmqpBroker {

    @Override
    public String newQueue(Channel channel) throws IOException {
        String queue = "semel-" + UUID.randomUUID();
        channel.queueDeclare(deadLettersOf(queue), true, false, false, Map.of());
        channel.queueDeclare(
                queue,
                true,
                false,
                false,
                Map.of("x-dead-letter-exchange", "", "x-dead-letter-routing-key", deadLettersOf(queue)));
        return queue;
    }

    @Override
    public int depth(String queue) {
        try {
            Process control = new ProcessBuilder("rabbitmqctl", "-q", "list_queues", "name", "messages")
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            String listed = new String(control.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return listed.lines()
                    .map(line -> line.split("\t"))
                    .filter(line -> line[0].equals(queue))
                    .mapToInt(line -> Integer.parseInt(line[1]))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("no queue " + queue + ": " + listed));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
