package dev.semel.dynamodb;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The address of a store in DynamoDB: {@code dynamodb://TABLE?region=eu-central-1}. Credentials are never part of it: they are
 * found as the AWS SDK finds them.
 *
 * <p>Parameters: {@code region}, {@code endpoint}, {@code shards}, {@code timeoutMillis}, {@code keepMarkedDays}, {@code tombstoneDays},
 * {@code schemaMode} ({@code create} or {@code validate}) and {@code acceptUnsafeDurability}.
 *
 * @param region null for the region that the AWS SDK finds
 * @param endpoint null for that of the region; plain HTTP on loopback only
 */
public record DynamoUri(
        String table, @Nullable String region, @Nullable URI endpoint, DynamoOptions options) {

    static final String SCHEME = "dynamodb";

    private static final String RIGHT = "use dynamodb://TABLE?region=REGION";
    private static final Pattern TABLE = Pattern.compile("[A-Za-z0-9_.-]{3,255}");
    private static final Pattern REGION = Pattern.compile("[a-z0-9-]{2,40}");
    private static final List<String> PARAMETERS = List.of(
            "region",
            "endpoint",
            "shards",
            "timeoutMillis",
            "keepMarkedDays",
            "tombstoneDays",
            "schemaMode",
            "acceptUnsafeDurability");

    public DynamoUri {
        if (!TABLE.matcher(table).matches()) {
            throw new IllegalArgumentException(
                    "the name of a table in DynamoDB has 3 to 255 letters, digits, dots, dashes" + " and underscores: "
                            + RIGHT);
        }
        if (region != null && !REGION.matcher(region).matches()) {
            throw new IllegalArgumentException("region is no region of AWS, such as eu-central-1");
        }
        if (endpoint != null && !isSafe(endpoint)) {
            throw new IllegalArgumentException(
                    "endpoint must be https://HOST:PORT, or http:// on loopback: the store takes"
                            + " its time from the answers, which plain HTTP does not protect");
        }
    }

    /** Whether this is the URI of a store in DynamoDB. */
    public static boolean isDynamo(String uri) {
        return uri.startsWith(SCHEME + ":");
    }

    /**
     * Reads a URI.
     *
     * @throws IllegalArgumentException when it is malformed; the message says what would be right
     */
    public static DynamoUri parse(String uri) {
        if (!uri.startsWith(SCHEME + "://")) {
            throw new IllegalArgumentException("not the URI of a table in DynamoDB: " + RIGHT);
        }
        String rest = uri.substring(SCHEME.length() + 3);
        int question = rest.indexOf('?');
        Map<String, String> parameters = parameters(question < 0 ? "" : rest.substring(question + 1));
        String endpoint = parameters.get("endpoint");
        return new DynamoUri(
                question < 0 ? rest : rest.substring(0, question),
                parameters.get("region"),
                endpoint == null ? null : uri(endpoint),
                options(parameters));
    }

    private static Map<String, String> parameters(String query) {
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String pair : query.isEmpty() ? new String[0] : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            String name = equals < 0 ? pair : pair.substring(0, equals);
            if (!PARAMETERS.contains(name)) {
                throw new IllegalArgumentException(
                        "a dynamodb: URI has an unknown parameter: use " + String.join(", ", PARAMETERS));
            }
            String value = equals < 0 ? "" : URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8);
            if (parameters.put(name, value) != null) {
                throw new IllegalArgumentException(name + " is given twice in a dynamodb: URI");
            }
        }
        return parameters;
    }

    private static DynamoOptions options(Map<String, String> parameters) {
        DynamoOptions none = DynamoOptions.DEFAULT;
        return new DynamoOptions(
                (int) number("shards", parameters, none.shards()),
                Duration.ofMillis(
                        number("timeoutMillis", parameters, none.timeout().toMillis())),
                Duration.ofDays(
                        number("keepMarkedDays", parameters, none.keepMarked().toDays())),
                choice("schemaMode", parameters, "create", "validate"),
                choice("acceptUnsafeDurability", parameters, "true", "false", "false"),
                Duration.ofDays(number("tombstoneDays", parameters, 0)));
    }

    private static boolean choice(String name, Map<String, String> parameters, String yes, String no) {
        return choice(name, parameters, yes, no, yes);
    }

    private static boolean choice(
            String name, Map<String, String> parameters, String yes, String no, String otherwise) {
        String value = parameters.getOrDefault(name, otherwise);
        if (!value.equals(yes) && !value.equals(no)) {
            throw new IllegalArgumentException(name + " of a dynamodb: URI must be " + yes + " or " + no);
        }
        return value.equals(yes);
    }

    private static long number(String name, Map<String, String> parameters, long otherwise) {
        String value = parameters.get(name);
        if (value == null) {
            return otherwise;
        }
        if (!value.matches("[1-9][0-9]{0,6}")) {
            throw new IllegalArgumentException(name + " of a dynamodb: URI must be a number from 1 to 9999999");
        }
        return Long.parseLong(value);
    }

    private static URI uri(String text) {
        try {
            return URI.create(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("endpoint of a dynamodb: URI must be https://HOST:PORT", e);
        }
    }

    /** Whether the endpoint is on this machine, as DynamoDB Local is. */
    boolean isLocal() {
        return endpoint != null && endpoint.getHost() != null && isLoopback(endpoint.getHost());
    }

    private static boolean isSafe(URI endpoint) {
        String host = endpoint.getHost();
        return host != null
                && endpoint.getUserInfo() == null
                && ("https".equals(endpoint.getScheme()) || ("http".equals(endpoint.getScheme()) && isLoopback(host)));
    }

    private static boolean isLoopback(String host) {
        return host.equals("localhost") || host.equals("[::1]") || host.matches("127\\.[0-9]+\\.[0-9]+\\.[0-9]+");
    }

    public DynamoUri withOptions(DynamoOptions other) {
        return new DynamoUri(table, region, endpoint, other);
    }

    @Override
    public String toString() {
        return SCHEME + "://" + table + (region == null ? "" : "?region=" + region);
    }
}
