package dev.semel.spring.messaging;

/**
 * The names of the container factories whose listeners handle each message once. A listener names one; listeners that name
 * none are not changed.
 *
 * <pre>{@code
 * @KafkaListener(topics = "orders", groupId = "mailer", containerFactory = IdempotentListeners.KAFKA)
 * void on(Order order) {
 *     mail.send(order);
 * }
 * }</pre>
 */
public final class IdempotentListeners {

    /** For {@code @KafkaListener}: once per consumer group. */
    public static final String KAFKA = "idempotentKafkaListenerContainerFactory";

    /** For {@code @RabbitListener}: once per queue. */
    public static final String RABBIT = "idempotentRabbitListenerContainerFactory";

    /** For {@code @JmsListener}: once per queue, or per subscription of a topic. */
    public static final String JMS = "idempotentJmsListenerContainerFactory";

    private IdempotentListeners() {}
}
