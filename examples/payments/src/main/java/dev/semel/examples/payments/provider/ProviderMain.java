package dev.semel.examples.payments.provider;

import java.io.IOException;
import java.net.BindException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The provider as a program. */
@Command(
        name = "ProviderMain",
        description = "Starts the simulated payment provider.",
        usageHelpAutoWidth = true,
        sortOptions = false)
public final class ProviderMain implements Callable<Integer> {

    private static final int LAST_PORT = 65_535;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "PORT", description = "to listen on; 0 for any")
    private int port;

    @Parameters(index = "1", paramLabel = "DIRECTORY", description = "holds the ledger")
    private Path directory = Path.of(".");

    @Option(
            names = "--late-by",
            paramLabel = "DURATION",
            defaultValue = "15s",
            converter = DurationConverter.class,
            description = "how long after its request pm_late charges (${DEFAULT-VALUE})")
    private Duration lateBy = Duration.ZERO;

    @ArgGroup(exclusive = false)
    private @Nullable WebhookOptions webhooks;

    @SuppressWarnings("unused") // picocli reads it
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "show this help")
    private boolean help;

    /** The receiver of webhooks; without these options, none are sent. */
    private static final class WebhookOptions {

        @Option(
                names = "--webhook-url",
                paramLabel = "URL",
                required = true,
                description = "receives an event for every charge and decline")
        private String url = "";

        @Option(
                names = "--webhook-secret",
                paramLabel = "SECRET",
                required = true,
                description = "signs the events: whsec_ and 24 to 64 bytes in Base64")
        private String secret = "";

        @Option(
                names = "--webhook-delay",
                paramLabel = "DURATION",
                defaultValue = "0s",
                converter = DurationConverter.class,
                description = "before each webhook is sent (${DEFAULT-VALUE})")
        private Duration delay = Duration.ZERO;

        @Option(names = "--webhook-duplicate", description = "sends each webhook twice")
        private boolean duplicate;

        @Option(
                names = "--no-webhook-for",
                paramLabel = "METHOD",
                converter = MethodConverter.class,
                description = "sends none for this method of payment; may be repeated")
        private List<PaymentMethod> silent = List.of();

        WebhookSettings settings() {
            WebhookSettings settings = WebhookSettings.to(url, WebhookSigner.of(secret))
                    .delay(delay)
                    .duplicate(duplicate);
            for (PaymentMethod method : silent) {
                settings = settings.silentFor(method);
            }
            return settings;
        }
    }

    public static void main(String[] args) {
        int status = command().execute(args);
        if (status != 0) {
            System.exit(status);
        }
    }

    static CommandLine command() {
        return new CommandLine(new ProviderMain())
                .setParameterExceptionHandler((failure, ignored) -> fail(2, failure.getCommandLine(), failure))
                .setExecutionExceptionHandler((failure, command, parsed) -> fail(1, command, failure));
    }

    private static int fail(int status, CommandLine command, Exception failure) {
        command.getErr().println("provider: " + failure.getMessage());
        return status;
    }

    @Override
    public Integer call() throws IOException {
        ProviderSettings settings = settings();
        try {
            Provider provider = Provider.start(port, directory, settings);
            System.out.println("Provider is ready: " + provider.uri());
            return 0;
        } catch (BindException e) {
            throw new IOException("port " + port + " is in use", e);
        }
    }

    private ProviderSettings settings() {
        if (port < 0 || port > LAST_PORT) {
            throw wrong("PORT is " + port + ", it must be between 0 and " + LAST_PORT);
        }
        try {
            ProviderSettings settings = ProviderSettings.defaults().lateBy(lateBy);
            return webhooks == null ? settings : settings.webhooks(webhooks.settings());
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
    }

    private ParameterException wrong(@Nullable String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    /** Durations as people write them: {@code 500ms}, {@code 10s}, {@code 2m}. */
    public static final class DurationConverter implements ITypeConverter<Duration> {

        @Override
        public Duration convert(String value) {
            try {
                return DurationStyle.detectAndParse(value);
            } catch (IllegalArgumentException | ArithmeticException e) {
                throw new TypeConversionException("'" + value + "' is not a duration such as 500ms or 10s");
            }
        }
    }

    /** Methods of payment by their labels. */
    static final class MethodConverter implements ITypeConverter<PaymentMethod> {

        @Override
        public PaymentMethod convert(String value) {
            return PaymentMethod.ofLabel(value)
                    .orElseThrow(
                            () -> new TypeConversionException("'" + value + "' is none of " + PaymentMethod.labels()));
        }
    }
}
