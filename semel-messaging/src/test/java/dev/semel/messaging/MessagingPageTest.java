package dev.semel.messaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Intent;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.Retention;
import dev.semel.Scope;
import dev.semel.engine.SemelEngine;
import dev.semel.fingerprint.Fingerprinter;
import dev.semel.memory.MemoryStore;
import dev.semel.messaging.alias.Alias;
import dev.semel.messaging.alias.Aliases;
import dev.semel.messaging.alias.NamedIntent;
import dev.semel.messaging.command.Command;
import dev.semel.messaging.command.CommandBus;
import dev.semel.messaging.command.IdempotentCommandBus;
import dev.semel.messaging.federation.FederationHandler;
import dev.semel.messaging.federation.FederationMessage;
import dev.semel.messaging.federation.FederationReply;
import dev.semel.messaging.federation.Payload;
import dev.semel.messaging.webhook.HmacSecrets;
import dev.semel.messaging.webhook.StripeWebhooks;
import dev.semel.messaging.webhook.WebhookAnswer;
import dev.semel.messaging.webhook.WebhookReceiver;
import dev.semel.messaging.webhook.WebhookRequest;
import dev.semel.messaging.webhook.spring.WebhookFunction;
import dev.semel.reconcile.Reconciler;
import dev.semel.reconcile.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

@DisplayName("The code in the pages about messages, webhooks, commands and the outbox")
class MessagingPageTest {

    /** The snippets of a broker are compiled in its module. */
    private static final List<Path> SOURCES = List.of(
            Path.of("src/test/java/dev/semel/messaging/MessagingPageTest.java"),
            Path.of("../semel-kafka/src/test/java/dev/semel/messaging/kafka/KafkaSnippets.java"),
            Path.of("../semel-rabbitmq/src/test/java/dev/semel/messaging/amqp/RabbitSnippets.java"),
            Path.of("../semel-jms/src/test/java/dev/semel/messaging/jms/JmsSnippets.java"));

    private static final Path PAGES = Path.of("../docs/how-to");

    private static final Pattern SNIPPET = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    private final SemelEngine semel = SemelEngine.on(new MemoryStore()).build();
    private final List<String> effects = new ArrayList<>();
    private final Invoices invoices = new Invoices();

    @AfterEach
    void close() {
        semel.close();
    }

    private final class Invoices {
        void paid(String id, byte[] body) {
            effects.add(id + " " + body.length);
        }
    }

    private interface Mail {
        void send(Order order);
    }

    private interface Mails {
        boolean sentFor(String id);
    }

    private record Order(String id, String customer) {
        byte[] json() {
            return ("\"" + id + "\"").getBytes(UTF_8);
        }
    }

    private record Receipt(String text) {}

    private record Pay(String commandId, long cents) implements Command<Receipt> {}

    private record Notify(String commandId) implements Command<@Nullable Void> {}

    private record Message(String id, String invoice, String amount) {}

    private static byte[] json(Command<?> command) {
        return ("\"" + command + "\"").getBytes(UTF_8);
    }

    private Payload book(Payload payload) {
        effects.add("booked");
        return payload;
    }

    private String charge(String invoice) {
        effects.add(invoice);
        return "receipt for " + invoice;
    }

    @Test
    void handles_a_message() {
        Order order = new Order("o1", "c1");
        Mail mail = message -> effects.add(message.id());

        Inbox<Order> inbox = Inbox.of(semel, "mailer", (Order sent) -> MessageIdentity.withId(sent.id(), sent.json()))
                .build();
        Delivery delivery = inbox.handle(order, (message, attempt) -> mail.send(message));

        assertThat(delivery).isEqualTo(new Delivery.Acknowledge(false));
        assertThat(effects).containsExactly("o1");
    }

    @Test
    void resolves_an_unknown_outcome() {
        Operation consume = Operation.named("consume");
        Mails mails = id -> true;
        Reconciler reconciler = Reconciler.of(semel.unknownOutcomes())
                .resolve(
                        consume,
                        unknown -> mails.sentFor(unknown.identity().key().value())
                                ? Inbox.wasHandled("the mail is in the outbox")
                                : new Verdict.DidNotHappen("no such mail"))
                .start();
        reconciler.close();
        assertThat(effects).isEmpty();
    }

    @Test
    void receives_a_webhook() {
        String secret = "whsec_test";
        byte[] body = "{\"id\":\"evt_1\"}".getBytes(UTF_8);
        long now = Instant.now().getEpochSecond();
        byte[] signature = HmacSecrets.of(List.of(secret.getBytes(UTF_8))).sign((now + ".").getBytes(UTF_8), body);
        WebhookRequest request = new WebhookRequest(
                Map.of(
                        "Stripe-Signature",
                        List.of("t=" + now + ",v1=" + HexFormat.of().formatHex(signature))),
                body);

        WebhookReceiver receiver = WebhookReceiver.of(semel, "billing", StripeWebhooks.signedWith(secret))
                .build();
        WebhookAnswer answer = receiver.receive(request, (event, attempt) -> invoices.paid(event.id(), event.body()));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(effects).containsExactly("evt_1 14");
        assertThat(webhooks(receiver)).isNotNull();
    }

    RouterFunction<ServerResponse> webhooks(WebhookReceiver receiver) {
        return RouterFunctions.route()
                .POST(
                        "/webhooks/billing",
                        new WebhookFunction(receiver, (event, attempt) -> invoices.paid(event.id(), event.body())))
                .build();
    }

    @Test
    void dispatches_a_command_twice() {
        Codec<Receipt> receipts =
                Codec.of(receipt -> receipt.text().getBytes(UTF_8), bytes -> new Receipt(new String(bytes, UTF_8)));
        CommandBus plainBus = new CommandBus() {
            @Override
            @SuppressWarnings("unchecked")
            public <R extends @Nullable Object> R dispatch(Command<R> command) {
                return (R) new Receipt(charge(command.commandId()));
            }
        };

        CommandBus bus = IdempotentCommandBus.around(plainBus, semel, command -> json(command))
                .result(Receipt.class, receipts)
                .command(Pay.class, Receipt.class, Operation.named("pay").retention(Retention.PAYMENT))
                .command(Notify.class, Void.class, Operation.named("notify").waitUpTo(Duration.ofSeconds(5)))
                .build();
        Receipt receipt = bus.dispatch(new Pay("cmd-1", 1999));
        Receipt again = bus.dispatch(new Pay("cmd-1", 1999));

        assertThat(again).isEqualTo(receipt);
        assertThat(effects).containsExactly("cmd-1");
    }

    @Test
    void answers_another_system() {
        FederationMessage message =
                new FederationMessage("m1", "bank-a", "bank-b", "transfer", Payload.of("1"), Instant.now());

        FederationHandler handler = FederationHandler.of(semel, "bank-b")
                .action("transfer", Operation.named("transfer"), (request, attempt) -> book(request.payload()))
                .build();
        FederationReply reply = handler.handle(message);

        assertThat(reply).isInstanceOf(FederationReply.Done.class);
        handler.handle(message);
        assertThat(effects).containsExactly("booked");
    }

    @Test
    void executes_one_intent_of_two_channels_once() {
        Operation pay = Operation.named("pay");
        String key = "k1";
        String invoice = "inv-1";
        String amount = "1999";
        Inbox<Message> inbox = Inbox.of(
                        semel, "payments", (Message sent) -> MessageIdentity.withId(sent.id(), new byte[0]))
                .build();
        Message sent = new Message("m1", "inv-1", "1999");

        Aliases aliases = Aliases.on(semel);
        Intent intent = Intent.of(
                pay,
                Scope.of("payments"),
                Key.of(invoice),
                Fingerprinter.sha256().ofText(amount));

        Execution<String> byHttp =
                aliases.execute(Alias.of("http", key), intent, Codec.text(), attempt -> charge(invoice));

        MessageHandler<Message> byQueue = aliases.handler(
                message -> new NamedIntent(Alias.of("queue", message.id()), intentOf(message)),
                Codec.text(),
                (message, attempt) -> charge(message.invoice()));
        Delivery delivery = inbox.handle(sent, byQueue);

        assertThat(byHttp.orThrow()).isEqualTo("receipt for inv-1");
        assertThat(delivery).isEqualTo(new Delivery.Acknowledge(false));
        assertThat(effects).containsExactly("inv-1");
    }

    private static Intent intentOf(Message message) {
        return Intent.of(
                Operation.named("pay"),
                Scope.of("payments"),
                Key.of(message.invoice()),
                Fingerprinter.sha256().ofText(message.amount()));
    }

    @Test
    void is_the_code_of_these_tests() throws IOException {
        StringBuilder pages = new StringBuilder();
        for (String page : List.of("messages.md", "webhooks.md", "commands-and-channels.md", "outbox.md")) {
            pages.append(Files.readString(PAGES.resolve(page)));
        }
        StringBuilder sources = new StringBuilder();
        for (Path source : SOURCES) {
            sources.append(words(Files.readString(source)));
        }
        List<String> snippets =
                SNIPPET.matcher(pages).results().map(found -> found.group(1)).toList();

        assertThat(snippets)
                .hasSize(16)
                .allSatisfy(snippet -> assertThat(sources).contains(words(snippet)));
    }

    /** The text without white space, which the formatter may change. */
    private static String words(String text) {
        return text.replaceAll("\\s+", "");
    }
}
