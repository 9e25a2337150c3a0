package dev.semel.messaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.engine.SemelEngine;
import dev.semel.memory.MemoryStore;
import dev.semel.messaging.alias.Aliases;
import dev.semel.messaging.brokers.IsolatedClassPath;
import dev.semel.messaging.command.Command;
import dev.semel.messaging.command.CommandExecutor;
import dev.semel.messaging.command.IdempotentCommandBus;
import dev.semel.messaging.federation.FederationHandler;
import dev.semel.messaging.federation.FederationMessage;
import dev.semel.messaging.federation.Payload;
import dev.semel.messaging.outbox.Outbox;
import dev.semel.messaging.webhook.GitHubWebhooks;
import dev.semel.messaging.webhook.WebhookReceiver;
import dev.semel.messaging.webhook.WebhookRequest;
import dev.semel.messaging.webhook.servlet.WebhookServlet;
import jakarta.servlet.http.HttpServlet;
import java.net.URLClassLoader;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("An application")
class WithoutFrameworksTest {

    /** A type of each package, and the library that the package adapts, if any. */
    private record Adapter(Class<?> member, @Nullable Class<?> library) {}

    static List<Adapter> adapters() {
        return List.of(
                new Adapter(Inbox.class, null),
                new Adapter(WebhookReceiver.class, null),
                new Adapter(IdempotentCommandBus.class, null),
                new Adapter(FederationHandler.class, null),
                new Adapter(Aliases.class, null),
                new Adapter(Outbox.class, null),
                new Adapter(WebhookServlet.class, HttpServlet.class));
    }

    @ParameterizedTest
    @MethodSource("adapters")
    void needs_for_a_package_only_what_it_adapts(Adapter adapter) throws Exception {
        IsolatedClassPath.assertPackageLoads(
                adapter.member, SemelEngine.class, adapter.library == null ? SemelEngine.class : adapter.library);
    }

    @Test
    void without_any_framework_handles_messages_webhooks_commands_and_federation() throws Exception {
        try (URLClassLoader loader =
                IsolatedClassPath.of(List.of(Inbox.class, SemelEngine.class, WithoutFrameworksTest.class))) {
            for (String framework : List.of(
                    "org.apache.kafka.clients.consumer.Consumer",
                    "com.rabbitmq.client.Channel",
                    "jakarta.jms.Message",
                    "jakarta.servlet.Servlet",
                    "org.springframework.util.ReflectionUtils")) {
                assertThatThrownBy(() -> loader.loadClass(framework)).isInstanceOf(ClassNotFoundException.class);
            }
            Class<?> scenario = loader.loadClass(Scenario.class.getName());
            Object effects = ((Callable<?>) scenario.getDeclaredConstructor().newInstance()).call();
            assertThat(effects).isEqualTo(List.of("message", "event", "command", "federation"));
        }
    }

    /** Handles a message, a webhook, a command and a federation message, each twice. */
    public static final class Scenario implements Callable<List<String>> {

        private record Pay(String commandId) implements Command<String> {}

        private final List<String> effects = new ArrayList<>();

        @Override
        public List<String> call() {
            try (SemelEngine semel = SemelEngine.on(new MemoryStore()).build()) {
                for (int i = 0; i < 2; i++) {
                    message(semel);
                    webhook(semel);
                    command(semel);
                    federation(semel);
                }
            }
            return effects;
        }

        private void message(SemelEngine semel) {
            Inbox.of(semel, "mailer", (String id) -> MessageIdentity.withId(id, new byte[0]))
                    .build()
                    .handle("m1", (id, attempt) -> effects.add("message"));
        }

        private void webhook(SemelEngine semel) {
            Map<String, List<String>> headers = Map.of(
                    "X-Hub-Signature-256",
                    List.of("sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"),
                    "X-GitHub-Delivery",
                    List.of("d1"));
            WebhookReceiver.of(semel, "github", GitHubWebhooks.signedWith("It's a Secret to Everybody"))
                    .build()
                    .receive(
                            new WebhookRequest(headers, "Hello, World!".getBytes(UTF_8)),
                            (event, attempt) -> effects.add("event"));
        }

        private void command(SemelEngine semel) {
            CommandExecutor executor = new CommandExecutor() {
                @Override
                @SuppressWarnings("unchecked")
                public <R extends @Nullable Object> R execute(Command<R> command, dev.semel.Attempt attempt) {
                    effects.add("command");
                    return (R) "paid";
                }
            };
            IdempotentCommandBus.around(executor, semel, command -> new byte[0])
                    .command(Pay.class, Codec.text(), Operation.named("pay"))
                    .build()
                    .dispatch(new Pay("c1"));
        }

        private void federation(SemelEngine semel) {
            FederationHandler.of(semel, "bank-b")
                    .action("transfer", Operation.named("transfer"), (request, attempt) -> {
                        effects.add("federation");
                        return request.payload();
                    })
                    .build()
                    .handle(new FederationMessage(
                            "f1", "bank-a", "bank-b", "transfer", Payload.of("1"), Instant.now()));
        }
    }
}
