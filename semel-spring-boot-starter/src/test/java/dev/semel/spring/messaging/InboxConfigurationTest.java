package dev.semel.spring.messaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Identity;
import dev.semel.Retention;
import dev.semel.engine.SemelEngine;
import dev.semel.memory.MemoryStore;
import dev.semel.messaging.Delivery;
import dev.semel.messaging.Inbox;
import dev.semel.messaging.MessageIdentity;
import dev.semel.spring.Operations;
import dev.semel.spring.SemelAutoConfiguration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

@DisplayName("The inbox of a Spring Boot application")
class InboxConfigurationTest {

    private static final MessageIdentity MESSAGE = MessageIdentity.withId("m1", "{}".getBytes(UTF_8));

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(SemelAutoConfiguration.class, SemelInboxAutoConfiguration.class))
            .withPropertyValues("semel.store=memory:", "semel.reconciler.enabled=false");

    @SuppressWarnings("unchecked")
    private static Inbox<MessageIdentity> inbox(ApplicationContext context) {
        return context.getBean(Inbox.class);
    }

    @Test
    void handles_a_message_of_its_group_once() {
        runner.withPropertyValues("semel.inbox.group=worker").run(context -> {
            List<String> effects = new ArrayList<>();

            Delivery first = inbox(context).handle(MESSAGE, (message, attempt) -> effects.add("done"));
            Delivery second = inbox(context).handle(MESSAGE, (message, attempt) -> effects.add("done"));

            assertThat(first).isEqualTo(new Delivery.Acknowledge(false));
            assertThat(second).isEqualTo(new Delivery.Acknowledge(true));
            assertThat(effects).containsExactly("done");
            assertThat(context.getBean(SemelEngine.class).find(Identity.of("inbox/worker", "m1")))
                    .hasValueSatisfying(record -> assertThat(record.operation()).isEqualTo("consume"));
        });
    }

    @Test
    void follows_the_properties_of_its_operation() {
        runner.withPropertyValues(
                        "semel.inbox.group=worker",
                        "semel.inbox.operation=handle-task",
                        "semel.inbox.max-attempts=2",
                        "semel.operations.handle-task.retention=order")
                .run(context -> {
                    assertThat(context.getBean(Operations.class)
                                    .named("handle-task")
                                    .retention())
                            .isEqualTo(Retention.ORDER.duration());
                    assertThat(fail(context)).isEqualTo(new Delivery.Redeliver("handler_failed"));
                    assertThat(fail(context)).isInstanceOf(Delivery.DeadLetter.class);
                });
    }

    private static Delivery fail(ApplicationContext context) {
        return inbox(context).handle(MESSAGE, (message, attempt) -> {
            throw new IllegalStateException("cannot be parsed");
        });
    }

    @Test
    void is_there_only_with_a_group_and_others_can_be_built_without() {
        runner.run(context -> {
            assertThat(context).hasNotFailed().doesNotHaveBean(Inbox.class);
            Inbox<String> own = context.getBean(Inboxes.class)
                    .builder("own", (String id) -> MessageIdentity.withId(id, new byte[0]))
                    .build();
            assertThat(own.handle("m1", (message, attempt) -> {})).isEqualTo(new Delivery.Acknowledge(false));
        });
    }

    @Test
    void gives_way_to_one_of_the_application() {
        runner.withPropertyValues("semel.inbox.group=worker")
                .withBean(
                        "own",
                        Inbox.class,
                        () -> Inbox.of(SemelEngine.on(new MemoryStore()).build(), "own", message -> MESSAGE)
                                .build())
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(Inbox.class)
                        .hasBean("own"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    semel.inbox.max-attempts=0          | semel.inbox.max-attempts     | it must be at least 1
                    semel.inbox.redelivery-pause=2m     | semel.inbox.redelivery-pause | it must be between PT0S and PT1M
                    semel.inbox.operation=count-failure | semel.inbox.operation        | is reserved
                    semel.inbox.operation=Consume       | semel.inbox.operation        | lower-case letters
                    semel.inbox.group=                  | semel.inbox.group            | empty
                    semel.operations.consume.lease=1ms  | semel.operations.consume.lease | it must be between PT0.1S
                    semel.operations.consume.match=POST /messages | semel.operations.consume.match | Name another operation
                    """)
    void refuses_a_wrong_value_with_its_property_and_what_would_be_right(String property, String named, String advice) {
        runner.withPropertyValues(property)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOfSatisfying(
                                InvalidConfigurationPropertyValueException.class,
                                invalid -> assertThat(invalid.getName()).isEqualTo(named))
                        .hasMessageContaining(advice));
    }

    @ParameterizedTest
    @ValueSource(strings = {"semel.inbox.groop=worker", "semel.inbox.jms.dead-letters=dead"})
    void refuses_an_unknown_property(String property) {
        runner.withPropertyValues(property)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining(property.substring(0, property.indexOf('='))));
    }

    @Test
    void needs_the_messaging_module() {
        ApplicationContextRunner without = runner.withClassLoader(new FilteredClassLoader("dev.semel.messaging"));

        without.run(context -> assertThat(context).hasNotFailed().hasSingleBean(SemelEngine.class));
        without.withPropertyValues("semel.inbox.group=worker")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("semel.inbox")
                        .hasMessageContaining("dev.semel:semel-messaging"));
    }

    @Test
    void is_not_there_when_semel_is_off() {
        runner.withPropertyValues("semel.enabled=false", "semel.inbox.group=worker")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(Inbox.class));
    }
}
