package dev.semel.server.cli;

import dev.semel.server.check.rules.CheckSettings;
import dev.semel.server.check.rules.Rule;
import dev.semel.server.check.rules.Rules;
import dev.semel.server.check.subject.CheckFile;
import dev.semel.server.check.subject.CurlOptions;
import dev.semel.server.check.subject.OpenApiFile;
import dev.semel.server.check.subject.Target;
import dev.semel.server.check.wire.Header;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What {@code semel check} tests, and how. */
final class CheckOptions {

    /** A run has about 200 requests; the rest is for duplicates that have to be repeated. */
    private static final String DEFAULT_BUDGET = "600";

    private static final int MOST_AT_ONCE = 64;
    private static final int MAX_SEED = 1_000_000;

    @Mixin
    private CurlOptions curl = new CurlOptions();

    @Mixin
    private EffectOptions effects = new EffectOptions();

    @Option(
            names = "--openapi",
            paramLabel = "FILE|URL",
            description = "An OpenAPI 3 description; a URL beside it is the server's.")
    private @Nullable String openApi;

    @Option(
            names = "--operation",
            paramLabel = "ID",
            description = "An operation of the description, by its id or such as 'POST /payments'; can be repeated."
                    + " Otherwise those that have the key's header.")
    private List<String> operations = new ArrayList<>();

    @Option(names = "--config", paramLabel = "FILE", description = "A YAML file with several operations.")
    private @Nullable Path file;

    @Option(names = "--key-header", paramLabel = "NAME", description = "The header of keys (Idempotency-Key).")
    private @Nullable String keyHeader;

    @Option(
            names = "--keys",
            paramLabel = "quoted|bare",
            description = "How keys are sent (quoted, as the draft says; bare where the API refuses those).")
    private @Nullable String keys;

    @Option(names = "--key-required", description = "The API says that it requires a key.")
    private boolean keyRequired;

    @Option(
            names = "--as",
            paramLabel = "'NAME: VALUE'",
            description = "A header of a second account, in place of that of the first; can be repeated.")
    private List<String> account = new ArrayList<>();

    @Option(names = "--other-body", paramLabel = "BODY|@FILE", description = "Another body that the API accepts.")
    private @Nullable String otherBody;

    @Option(names = "--invalid-body", paramLabel = "BODY|@FILE", description = "A body that the API refuses.")
    private @Nullable String invalidBody;

    @Option(names = "--failing-body", paramLabel = "BODY|@FILE", description = "A body that the API answers with 5xx.")
    private @Nullable String failingBody;

    @Option(
            names = "--retention",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            description = "How long the API says that it keeps keys.")
    private @Nullable Duration retention;

    @Option(names = "--rule", paramLabel = "ID", split = ",", description = "Try only these rules; can be repeated.")
    private List<String> only = new ArrayList<>();

    @Option(
            names = "--concurrency",
            paramLabel = "N",
            defaultValue = "16",
            description = "How many requests are sent at once at most, 2 to 64 (${DEFAULT-VALUE}).")
    private int concurrency;

    @Option(names = "--pace", paramLabel = "N", description = "At most this many requests in a second (no limit).")
    private @Nullable Integer pace;

    @Option(
            names = "--budget",
            paramLabel = "N",
            defaultValue = DEFAULT_BUDGET,
            description = "At most this many requests in all (${DEFAULT-VALUE}).")
    private int budget;

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            defaultValue = "30s",
            converter = DurationConverter.class,
            description = "How long an answer is waited for (${DEFAULT-VALUE}).")
    private Duration timeout = Duration.ofSeconds(30);

    @Option(
            names = "--patience",
            paramLabel = "DURATION",
            defaultValue = "10s",
            converter = DurationConverter.class,
            description = "How long a request in progress, or a retention, is waited for (${DEFAULT-VALUE}).")
    private Duration patience = Duration.ofSeconds(10);

    @Option(
            names = "--settle",
            paramLabel = "MILLIS",
            defaultValue = "300",
            description = "How long after a request that was given up effects are counted (${DEFAULT-VALUE} ms).")
    private int settleMillis;

    @Option(
            names = "--retry-pause",
            paramLabel = "MILLIS",
            defaultValue = "250",
            description = "The pause before a retry of a request in progress (${DEFAULT-VALUE} ms).")
    private int retryPauseMillis;

    @Option(names = "--seed", paramLabel = "N", description = "Repeats the keys, values and order of an earlier run.")
    private @Nullable Long seed;

    /** What is tested, and how. */
    record Plan(CheckSettings settings, List<Rule> rules, List<CheckFile.Checked> operations, boolean insecure) {

        /** About how many requests are sent. */
        int requests() {
            int perOperation = rules.stream()
                    .mapToInt(rule -> rule.requests(settings.concurrency()))
                    .sum();
            return operations.size() * (perOperation + 3);
        }
    }

    /**
     * What the options say.
     *
     * @throws IllegalArgumentException when they contradict each other, or something is missing
     */
    Plan plan() {
        if (concurrency < 2 || concurrency > MOST_AT_ONCE) {
            throw new IllegalArgumentException("--concurrency is " + concurrency + ", it must be between 2 and 64");
        }
        if (budget < 1 || settleMillis < 0 || retryPauseMillis < 1 || (pace != null && pace < 1)) {
            throw new IllegalArgumentException(
                    "--budget, --pace and --retry-pause must be at least 1, --settle at least 0");
        }
        String header = keyHeader == null ? CheckSettings.DEFAULT_HEADER : keyHeader;
        List<Header> second = account.stream().map(Header::parse).toList();
        CheckFile read = file == null ? null : CheckFile.read(file, header);
        if (read != null && (curl.hasAddress() || openApi != null)) {
            throw new IllegalArgumentException("--config names the operations: leave out the URL and --openapi");
        }
        if (read != null && keyHeader == null && read.header() != null) {
            header = read.header();
        }
        CheckSettings settings = new CheckSettings(
                header,
                quoted(),
                second.isEmpty() && read != null ? read.account() : second,
                concurrency,
                keyRequired,
                retention,
                new CheckSettings.Waits(Duration.ofMillis(settleMillis), Duration.ofMillis(retryPauseMillis), patience),
                seed == null ? new SecureRandom().nextInt(MAX_SEED) : seed);
        List<CheckFile.Checked> chosen = read == null ? fromOptions(header) : read.operations();
        chosen.forEach(each -> each.target().intent(settings.keys(), new SecureRandom()));
        return new Plan(settings, rules(), chosen, curl.insecure() || (read != null && read.insecure()));
    }

    private List<CheckFile.Checked> fromOptions(String header) {
        Target.Bodies bodies = new Target.Bodies(content(otherBody), content(invalidBody), content(failingBody));
        List<Target> targets;
        if (openApi != null) {
            OpenApiFile.Given given =
                    new OpenApiFile.Given(curl.hasAddress() ? curl.address() : null, curl.headers(), header, bodies);
            targets = OpenApiFile.read(openApi).targets(operations, given);
        } else {
            if (!operations.isEmpty()) {
                throw new IllegalArgumentException("--operation needs --openapi");
            }
            targets = List.of(curl.target(header, bodies));
        }
        var oracle = effects.oracle();
        return targets.stream()
                .map(target -> new CheckFile.Checked(target, oracle))
                .toList();
    }

    private static @Nullable String content(@Nullable String given) {
        return given == null ? null : CurlOptions.content(given);
    }

    private @Nullable Boolean quoted() {
        if (keys == null) {
            return null;
        }
        return switch (keys) {
            case "quoted" -> true;
            case "bare" -> false;
            default -> throw new IllegalArgumentException("--keys is '" + keys + "', it must be quoted or bare");
        };
    }

    private List<Rule> rules() {
        List<String> unknown = new ArrayList<>(only);
        List<Rule> chosen = new ArrayList<>();
        for (Rule rule : Rules.all()) {
            unknown.remove(rule.info().id());
            if (only.isEmpty() || only.contains(rule.info().id())) {
                chosen.add(rule);
            }
        }
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException(
                    "there is no rule '" + unknown.get(0) + "'; './semel check --rules' lists all");
        }
        return chosen;
    }

    int budget() {
        return budget;
    }

    Duration timeout() {
        return timeout;
    }

    /** The shortest time from one request to the next. */
    Duration interval() {
        return pace == null ? Duration.ZERO : Duration.ofSeconds(1).dividedBy(pace);
    }
}
