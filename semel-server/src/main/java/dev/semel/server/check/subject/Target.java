package dev.semel.server.check.subject;

import dev.semel.server.check.wire.Header;
import dev.semel.server.check.wire.WireRequest;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * An operation of an API: a request with placeholders, of which a new intent can be made at any time.
 *
 * @param url with placeholders
 * @param body with placeholders
 * @param place where it is described; null for a command line
 */
public record Target(
        String name,
        String method,
        String url,
        List<Header> headers,
        String body,
        Bodies bodies,
        @Nullable Place place) {

    /**
     * A line of a file.
     *
     * @param line counted from 1
     */
    public record Place(String file, int line) {}

    /**
     * Further bodies that the user gave.
     *
     * @param other another valid body
     * @param invalid a body that the API refuses
     * @param failing a body that makes the API answer 5xx
     */
    public record Bodies(
            @Nullable String other,
            @Nullable String invalid,
            @Nullable String failing) {

        public static final Bodies NONE = new Bodies(null, null, null);
    }

    public Target {
        headers = List.copyOf(headers);
        method = method.toUpperCase(Locale.ROOT);
    }

    /**
     * Makes an intent with fresh values.
     *
     * @throws IllegalArgumentException when a placeholder does not exist, or the address is none
     */
    public Intent intent(KeyHeader keys, Random random) {
        return intent(keys, random, body);
    }

    /** Makes an intent with another body. */
    public Intent intent(KeyHeader keys, Random random, String otherBody) {
        String key = Values.uuid(random);
        Values values = new Values(random);
        WireRequest bare = request(values, otherBody);
        return new Intent(key, bare.with(keys.name(), keys.value(key)), values.made());
    }

    private WireRequest request(Values values, String withBody) {
        List<Header> filled = new ArrayList<>();
        for (Header header : headers) {
            filled.add(new Header(header.name(), values.fill(header.value())));
        }
        return new WireRequest(
                method, address(values.fill(url)), filled, values.fill(withBody).getBytes(StandardCharsets.UTF_8));
    }

    private static URI address(String url) {
        try {
            URI uri = new URI(url);
            if (uri.getHost() == null || !List.of("http", "https").contains(uri.getScheme())) {
                throw new IllegalArgumentException(
                        "'" + url + "' is no address of an API; write it like http://127.0.0.1:8080/payments");
            }
            return uri;
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("'" + url + "' is no URL: " + e.getReason(), e);
        }
    }

    /** The address with values of no intent, for the host and for reports. */
    public URI sample() {
        return address(new Values(new Random(0)).fill(url));
    }

    public String mediaType() {
        return headers.stream()
                .filter(header -> header.isNamed("Content-Type"))
                .map(header -> header.value().replaceFirst(";.*", "").strip().toLowerCase(Locale.ROOT))
                .findFirst()
                .orElse("");
    }

    /** The same operation as another caller: headers of the same names are replaced. */
    public Target as(List<Header> account) {
        List<Header> replaced = new ArrayList<>(headers);
        replaced.removeIf(header -> account.stream().anyMatch(other -> other.isNamed(header.name())));
        replaced.addAll(account);
        return new Target(name, method, url, replaced, body, bodies, place);
    }
}
