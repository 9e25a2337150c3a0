package dev.semel.server.check.subject;

import dev.semel.server.check.wire.Header;
import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options of curl that say what a request is, so that a pasted command works. */
public final class CurlOptions {

    private static final Pattern ENCODED_PLACEHOLDER = Pattern.compile("%7B%7B[A-Za-z0-9_%-]*?%7D%7D");

    @Parameters(
            arity = "0..*",
            paramLabel = "URL",
            description = "The operation's address, as for curl; a pasted 'curl …' works, too.")
    private List<String> words = new ArrayList<>();

    @Option(names = "--url", paramLabel = "URL", description = "The operation's address.")
    private @Nullable String url;

    @Option(
            names = {"-X", "--request"},
            paramLabel = "METHOD",
            description = "The method; POST where there is a body, or nothing is said.")
    private @Nullable String method;

    @Option(
            names = {"-H", "--header"},
            paramLabel = "'NAME: VALUE'",
            description = "A header; can be repeated.")
    private List<String> headers = new ArrayList<>();

    @Option(
            names = {"-d", "--data", "--data-ascii"},
            paramLabel = "BODY|@FILE",
            description = "The body; may contain {{uuid}} and {{int}}. A file loses its line ends, as with curl.")
    private List<String> data = new ArrayList<>();

    @Option(names = "--data-binary", paramLabel = "BODY|@FILE", description = "The body, as it is.")
    private List<String> binary = new ArrayList<>();

    @Option(names = "--data-raw", paramLabel = "BODY", description = "The body; an @ has no meaning.")
    private List<String> raw = new ArrayList<>();

    @Option(
            names = "--data-urlencode",
            paramLabel = "NAME=VALUE",
            description = "A part of the body whose value is encoded.")
    private List<String> encoded = new ArrayList<>();

    @Option(names = "--json", paramLabel = "BODY|@FILE", description = "The body, with the media type of JSON.")
    private List<String> json = new ArrayList<>();

    @Option(
            names = {"-u", "--user"},
            paramLabel = "USER:PASSWORD",
            description = "Basic authentication.")
    private @Nullable String user;

    @Option(
            names = {"-b", "--cookie"},
            paramLabel = "COOKIES",
            description = "The Cookie header.")
    private @Nullable String cookies;

    @Option(
            names = {"-A", "--user-agent"},
            paramLabel = "TEXT",
            description = "The User-Agent header.")
    private @Nullable String userAgent;

    @Option(
            names = {"-e", "--referer"},
            paramLabel = "URL",
            description = "The Referer header.")
    private @Nullable String referer;

    @Option(
            names = "--oauth2-bearer",
            paramLabel = "TOKEN",
            description = "The Authorization header, with a bearer token.")
    private @Nullable String bearer;

    @Option(
            names = {"-k", "--insecure"},
            description = "Accept every certificate.")
    private boolean insecure;

    @Option(
            names = {
                "-s",
                "--silent",
                "-S",
                "--show-error",
                "-i",
                "--include",
                "-v",
                "--verbose",
                "-f",
                "--fail",
                "--fail-with-body",
                "-N",
                "--no-buffer",
                "-g",
                "--globoff",
                "-#",
                "--progress-bar",
                "--http1.1",
                "--http2",
                "--compressed"
            },
            description = "Ignored; curl commands have them.")
    private boolean[] ignored = {};

    @Option(
            names = {"-L", "--location"},
            description = "Ignored: redirects are not followed.")
    private boolean[] unusedLocation = {};

    @Option(
            names = {"-o", "--output", "-w", "--write-out", "-m", "--max-time", "--connect-timeout", "--retry"},
            paramLabel = "VALUE",
            description = "Ignored with their values; --timeout says how long an answer is waited for.")
    private List<String> unusedValues = new ArrayList<>();

    public boolean hasAddress() {
        return url != null || !addresses().isEmpty();
    }

    public boolean insecure() {
        return insecure;
    }

    /** The headers, including those that other options stand for. */
    public List<Header> headers() {
        List<Header> all = new ArrayList<>(headers.stream().map(Header::parse).toList());
        if (user != null) {
            addUnlessGiven(
                    all,
                    "Authorization",
                    "Basic " + Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8)));
        }
        if (bearer != null) {
            addUnlessGiven(all, "Authorization", "Bearer " + bearer);
        }
        if (referer != null) {
            addUnlessGiven(all, "Referer", referer);
        }
        if (cookies != null) {
            addUnlessGiven(all, "Cookie", cookies);
        }
        if (userAgent != null) {
            addUnlessGiven(all, "User-Agent", userAgent);
        }
        if (!json.isEmpty()) {
            addUnlessGiven(all, "Content-Type", "application/json");
            addUnlessGiven(all, "Accept", "application/json");
        } else if (!form().isEmpty()) {
            addUnlessGiven(all, "Content-Type", "application/x-www-form-urlencoded");
        }
        return all;
    }

    private static void addUnlessGiven(List<Header> all, String name, String value) {
        if (all.stream().noneMatch(header -> header.isNamed(name))) {
            all.add(new Header(name, value));
        }
    }

    private List<String> addresses() {
        return !words.isEmpty() && words.get(0).equals("curl") ? words.subList(1, words.size()) : words;
    }

    /**
     * The address that was given.
     *
     * @throws IllegalArgumentException when there is none, or more than one
     */
    public String address() {
        List<String> all = new ArrayList<>(addresses());
        if (url != null) {
            all.add(url);
        }
        if (all.size() != 1) {
            throw new IllegalArgumentException(
                    all.isEmpty()
                            ? "an address is missing"
                            : "there is more than one address: " + String.join(", ", all));
        }
        return all.get(0).contains("://") ? all.get(0) : "http://" + all.get(0);
    }

    /**
     * The operation.
     *
     * @param keyHeader left out when the command has it: each intent has a key of its own
     * @throws IllegalArgumentException when something is missing or wrong
     */
    public Target target(String keyHeader, Target.Bodies bodies) {
        String address = address();
        String body = String.join("", contents(json)) + String.join("&", form());
        String named = method == null ? "POST" : method.toUpperCase(Locale.ROOT);
        List<Header> sent =
                headers().stream().filter(header -> !header.isNamed(keyHeader)).toList();
        Target target = new Target(named + " " + address, named, address, sent, body, bodies, null);
        String path = target.sample().getRawPath();
        return new Target(
                named + " " + (path == null || path.isEmpty() ? "/" : path), named, address, sent, body, bodies, null);
    }

    /** The parts of a form; those of one option stand together. */
    private List<String> form() {
        List<String> parts = new ArrayList<>();
        for (String given : data) {
            parts.add(given.startsWith("@") ? content(given).replaceAll("[\r\n]", "") : given);
        }
        parts.addAll(contents(binary));
        parts.addAll(raw);
        for (String given : encoded) {
            int equals = given.indexOf('=');
            String name = equals < 1 ? "" : given.substring(0, equals + 1);
            String value = URLEncoder.encode(given.substring(equals + 1), StandardCharsets.UTF_8);
            parts.add(name + ENCODED_PLACEHOLDER.matcher(value).replaceAll(CurlOptions::decoded));
        }
        return parts;
    }

    private static String decoded(MatchResult placeholder) {
        return URLDecoder.decode(placeholder.group(), StandardCharsets.UTF_8);
    }

    private static List<String> contents(List<String> given) {
        return given.stream().map(CurlOptions::content).toList();
    }

    /** What an option means: itself, or the file behind an @. */
    public static String content(String given) {
        if (!given.startsWith("@")) {
            return given;
        }
        Path file = Path.of(given.substring(1));
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new IllegalArgumentException("the file " + file + " cannot be read as UTF-8 text");
        }
    }
}
