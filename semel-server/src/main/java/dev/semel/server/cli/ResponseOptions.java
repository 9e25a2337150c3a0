package dev.semel.server.cli;

import dev.semel.Response;
import dev.semel.http.Body;
import dev.semel.http.Headers;
import dev.semel.http.RecordedResponse;
import dev.semel.http.ReplayHeaders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The HTTP response that retries get, in the format that the HTTP layer replays. */
final class ResponseOptions {

    /** A token as field name, and a value without control characters (RFC 9110, 5.1 and 5.5). */
    private static final Pattern HEADER = Pattern.compile("([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \\t]*([^\\p{Cntrl}]*)");

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Option(
            names = "--status",
            paramLabel = "N",
            description = "The status that retries get; required with --completed.")
    private @Nullable Integer status;

    @Option(
            names = "--header",
            paramLabel = "'NAME: VALUE'",
            description = "A header that retries get; can be repeated.")
    private List<String> headers = new ArrayList<>();

    @Option(names = "--body", paramLabel = "TEXT", description = "The body that retries get, as UTF-8 text.")
    private @Nullable String body;

    @Option(names = "--body-file", paramLabel = "FILE", description = "A file with the body that retries get.")
    private @Nullable Path bodyFile;

    boolean isEmpty() {
        return status == null && headers.isEmpty() && body == null && bodyFile == null;
    }

    /** @throws ParameterException when the response is incomplete or invalid */
    Response response() {
        if (status == null) {
            throw wrong("--completed needs the response that retries get: give at least --status N");
        }
        if (status < 200 || status > 599) {
            throw wrong("--status is " + status + ", it must be between 200 and 599");
        }
        return RecordedResponse.of(status, parsedHeaders(), parsedBody()).toResponse();
    }

    private Headers parsedHeaders() {
        Headers all = Headers.NONE;
        for (String header : headers) {
            Matcher matcher = HEADER.matcher(header);
            if (!matcher.matches()) {
                throw wrong("--header must have the form 'Name: value'");
            }
            Headers line = Headers.of(matcher.group(1), matcher.group(2).stripTrailing());
            if (ReplayHeaders.keepable(line).lines().isEmpty()) {
                throw wrong("--header " + matcher.group(1) + " is never replayed: leave it out");
            }
            all = all.with(matcher.group(1), matcher.group(2).stripTrailing());
        }
        return all;
    }

    private Body parsedBody() {
        if (body != null && bodyFile != null) {
            throw wrong("give either --body or --body-file");
        }
        if (bodyFile == null) {
            return body == null ? Body.EMPTY : Body.ofText(body);
        }
        try {
            return Body.of(Files.readAllBytes(bodyFile));
        } catch (IOException e) {
            throw wrong("--body-file " + bodyFile + " cannot be read");
        }
    }

    private ParameterException wrong(String message) {
        return new ParameterException(command.commandLine(), message);
    }
}
