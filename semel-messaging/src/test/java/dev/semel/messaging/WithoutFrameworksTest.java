package dev.semel.messaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.Channel;
import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.engine.SemelEngine;
import dev.semel.memory.MemoryStore;
import dev.semel.messaging.command.Command;
import dev.semel.messaging.command.CommandExecutor;
import dev.semel.messaging.command.IdempotentCommandBus;
import dev.semel.messaging.federation.FederationHandler;
import dev.semel.messaging.federation.FederationMessage;
import dev.semel.messaging.federation.Payload;
import dev.semel.messaging.webhook.GitHubWebhooks;
import dev.semel.messaging.webhook.WebhookReceiver;
import dev.semel.messaging.webhook.WebhookRequest;
import jakarta.jms.Message;
import jakarta.servlet.http.HttpServlet;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("An application")
class WithoutFrameworksTest {

    private static final String ROOT = "dev.semel.messaging";

    /** A package, and the library that it adapts, if any. */
    private record Adapter(String name, @Nullable Class<?> library) {}

    static List<Adapter> adapters() {
        return List.of(
                new Adapter(ROOT, null),
                new Adapter(ROOT + ".webhook", null),
                new Adapter(ROOT + ".command", null),
                new Adapter(ROOT + ".federation", null),
                new Adapter(ROOT + ".alias", null),
                new Adapter(ROOT + ".outbox", null),
                new Adapter(ROOT + ".kafka", Consumer.class),
                new Adapter(ROOT + ".amqp", Channel.class),
                new Adapter(ROOT + ".jms", Message.class),
                new Adapter(ROOT + ".webhook.servlet", HttpServlet.class));
    }

    /** Sees the platform, SemelEngine, this test, and one library. */
    private static URLClassLoader only(@Nullable Class<?> library) {
        List<URL> places = new ArrayList<>();
        for (Class<?> type : Arrays.asList(Inbox.class, SemelEngine.class, WithoutFrameworksTest.class, library)) {
            if (type != null) {
                places.add(type.getProtectionDomain().getCodeSource().getLocation());
            }
        }
        return new URLClassLoader(places.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }

    private static List<String> classesOf(String packageName) throws IOException, URISyntaxException {
        Path classes = Path.of(
                Inbox.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        try (Stream<Path> files = Files.list(classes.resolve(packageName.replace('.', '/')))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".class") && !name.equals("package-info.class"))
                    .map(name -> packageName + "." + name.substring(0, name.length() - ".class".length()))
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("adapters")
    void needs_for_a_package_only_what_it_adapts(Adapter adapter) throws Exception {
        try (URLClassLoader loader = only(adapter.library)) {
            List<String> names = classesOf(adapter.name);
            assertThat(names).isNotEmpty();
            for (String name : names) {
                Class<?> type = Class.forName(name, true, loader);
                assertThat(type.getClassLoader()).isSameAs(loader);
                // What these mention has to be there as well.
                assertThat(type.getDeclaredMethods()).isNotNull();
                assertThat(type.getDeclaredConstructors()).isNotNull();
                assertThat(type.getDeclaredFields()).isNotNull();
            }
        }
    }

    @Test
    void without_any_framework_handles_messages_webhooks_commands_and_federation() throws Exception {
        try (URLClassLoader loader = only(null)) {
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

    /** What runs there; each comes twice. */
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
            Inbox.of(semel, "mailer", (String id) -> Letter.withId(id, new byte[0]))
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
