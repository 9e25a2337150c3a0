package dev.semel.spring.actuate;

import dev.semel.Response;
import dev.semel.http.Body;
import dev.semel.http.Headers;
import dev.semel.http.RecordedResponse;
import dev.semel.http.ReplayHeaders;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The response that a person enters for retries: an HTTP response, or the result of a method as JSON.
 *
 * @param headers a line for each, such as {@code Content-Type: application/json}
 */
record GivenResponse(
        @Nullable String status,
        @Nullable String headers,
        @Nullable String body) {

    /** A token as field name, and a value without control characters (RFC 9110, 5.1 and 5.5). */
    private static final Pattern HEADER = Pattern.compile("([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \\t]*([^\\p{Cntrl}]*)");

    private static final int LEAST = 200;
    private static final int MOST = 599;

    boolean isEmpty() {
        return status == null && headers == null && body == null;
    }

    /** The result of an {@code @Idempotent} method, in the form in which it is read back. */
    Response toResult() {
        if (status != null || headers != null) {
            throw Refused.badInput(
                    "no route of this application has this operation, so it is that of a method: leave status and"
                            + " headers out, and give its result as body, in JSON");
        }
        return Response.of(body == null ? new byte[0] : body.getBytes(StandardCharsets.UTF_8));
    }

    /** The form in which the HTTP layer records and replays it. */
    Response toResponse() {
        String given = Input.required("status", status, "the status that retries get, such as 201");
        int number = Input.number("status", given, LEAST, MOST, LEAST);
        return RecordedResponse.of(number, parsedHeaders(), body == null ? Body.EMPTY : Body.ofText(body))
                .toResponse();
    }

    private Headers parsedHeaders() {
        Headers all = Headers.NONE;
        if (headers == null) {
            return all;
        }
        for (String line : headers.lines().filter(each -> !each.isBlank()).toList()) {
            Matcher matcher = HEADER.matcher(line.strip());
            if (!matcher.matches()) {
                throw Refused.badInput("headers must be lines of the form 'Name: value'");
            }
            Headers one = Headers.of(matcher.group(1), matcher.group(2));
            if (ReplayHeaders.keepable(one).lines().isEmpty()) {
                throw Refused.badInput("the header " + matcher.group(1) + " is never replayed: leave it out");
            }
            all = all.with(matcher.group(1), matcher.group(2));
        }
        return all;
    }
}
