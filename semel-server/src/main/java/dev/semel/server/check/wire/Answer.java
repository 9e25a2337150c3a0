package dev.semel.server.check.wire;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A whole HTTP answer. */
@SuppressWarnings("ArrayRecordComponent")
public record Answer(int status, List<Header> headers, byte[] body, Duration elapsed) implements Reply {

    public Answer {
        headers = List.copyOf(headers);
    }

    public Optional<String> first(String name) {
        return all(name).stream().findFirst();
    }

    public List<String> all(String name) {
        return headers.stream()
                .filter(header -> header.isNamed(name))
                .map(Header::value)
                .toList();
    }

    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    public boolean isSuccess() {
        return status >= 200 && status < 300;
    }

    public boolean isClientError() {
        return status >= 400 && status < 500;
    }

    public boolean isServerError() {
        return status >= 500;
    }

    public boolean hasBodyOf(Answer other) {
        return Arrays.equals(body, other.body);
    }

    /** The media type without parameters, in lower case; empty when there is none. */
    public String mediaType() {
        String type = first("Content-Type").orElse("");
        int end = type.indexOf(';');
        return (end < 0 ? type : type.substring(0, end)).strip().toLowerCase(Locale.ROOT);
    }

    @Override
    public String brief() {
        return String.valueOf(status);
    }
}
