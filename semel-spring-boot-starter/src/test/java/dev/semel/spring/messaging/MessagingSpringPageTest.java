package dev.semel.spring.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.messaging.Delivery;
import dev.semel.messaging.Inbox;
import dev.semel.messaging.MessageHandler;
import dev.semel.messaging.MessageIdentity;
import dev.semel.messaging.webhook.WebhookEvent;
import dev.semel.spring.SemelAutoConfiguration;
import dev.semel.spring.SemelServletAutoConfiguration;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.kafka.annotation.KafkaListener;

@DisplayName("The code in docs/how-to/messaging-spring.md")
class MessagingSpringPageTest {

    private static final Path PAGE = Path.of("..", "docs", "how-to", "messaging-spring.md");
    private static final Path SOURCE = Path.of(
            "../semel-spring-boot-starter/src/test/java/dev/semel/spring/messaging/MessagingSpringPageTest.java");

    private record Order(String item) {}

    private record Task(String id, byte[] body) {}

    private interface Mail {
        void send(Order order);
    }

    private interface Worker {
        void run(Task task);
    }

    interface Invoices {
        void paid(String id, byte[] body);
    }

    /** The listeners of the page. */
    static final class Listeners {

        private final Mail mail = order -> {};

        @KafkaListener(topics = "orders", groupId = "mailer", containerFactory = IdempotentListeners.KAFKA)
        void onRecord(Order order) {
            mail.send(order);
        }

        @RabbitListener(queues = "orders", containerFactory = IdempotentListeners.RABBIT)
        void onMessage(Order order) {
            mail.send(order);
        }

        @JmsListener(destination = "orders", containerFactory = IdempotentListeners.JMS)
        void onJmsMessage(Order order) {
            mail.send(order);
        }
    }

    /** The handler of the page. */
    static final class Handlers {

        @Bean
        Invoices invoices() {
            return (id, body) -> {};
        }

        @Bean
        @HandlesWebhook("billing")
        MessageHandler<WebhookEvent> paidInvoices(Invoices invoices) {
            return (event, attempt) -> invoices.paid(event.id(), event.body());
        }
    }

    Delivery consume(Inbox<MessageIdentity> inbox, Task task, Worker worker) {
        Delivery delivery =
                inbox.handle(MessageIdentity.withId(task.id(), task.body()), (message, attempt) -> worker.run(task));
        return delivery;
    }

    private static List<String> blocks(String language) throws IOException {
        return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(PAGE))
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    /** The text without white space, which the formatter may change. */
    private static String words(String text) {
        return text.replaceAll("\\s+", "");
    }

    @Test
    void is_the_code_of_this_test() throws IOException {
        String source = words(Files.readString(SOURCE));
        assertThat(blocks("java"))
                .hasSize(3)
                .allSatisfy(snippet -> assertThat(source).contains(words(snippet)));
    }

    @Test
    void configures_an_endpoint() throws IOException {
        List<PropertySource<?>> yaml = new YamlPropertySourceLoader()
                .load("page", new ByteArrayResource(blocks("yaml").get(0).getBytes(StandardCharsets.UTF_8)));
        new WebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        SemelAutoConfiguration.class,
                        SemelServletAutoConfiguration.class,
                        SemelWebhookAutoConfiguration.class))
                .withInitializer(context -> yaml.forEach(
                        source -> context.getEnvironment().getPropertySources().addLast(source)))
                .withUserConfiguration(Handlers.class)
                .withPropertyValues("semel.store=memory:", "BILLING_WEBHOOK_SECRET=whsec_test")
                .run(context -> assertThat(context).hasNotFailed().hasBean("semelWebhookRoutes"));
    }
}
