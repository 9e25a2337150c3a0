package dev.semel.cassandra;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The address of a store in Cassandra: {@code cassandra://user:password@host:9042,host:9042/keyspace?dc=DATACENTER}.
 *
 * <p>Parameters: {@code dc}, {@code table}, {@code consistency} ({@code global} or {@code local}), {@code tls}, {@code timeoutMillis},
 * {@code keepMarkedDays}, {@code tombstoneDays}, {@code schemaMode} ({@code create} or {@code validate}) and
 * {@code acceptUnsafeDurability}.
 *
 * @param contacts at least one node, as {@code host:port}
 * @param datacenter the local data center: its nodes are asked
 * @param user null where the cluster asks for none
 */
public record CassandraUri(
        List<Contact> contacts,
        String keyspace,
        String table,
        String datacenter,
        @Nullable String user,
        @Nullable String password,
        boolean tls,
        CassandraOptions options) {

    /** A node that is asked for the others. */
    public record Contact(String host, int port) {}

    static final String SCHEME = "cassandra";

    private static final String RIGHT = "use cassandra://user:password@host:9042,host:9042/KEYSPACE?dc=DATACENTER";
    private static final int PORT = 9042;
    private static final int MOST_PORT = 65_535;
    private static final String TABLE = "semel_records";
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,47}");
    private static final Pattern CONTACT =
            Pattern.compile("(?<host>\\[[0-9A-Fa-f:.]+]|[A-Za-z0-9._-]+)(:(?<port>[0-9]{1,5}))?");
    private static final List<String> PARAMETERS = List.of(
            "dc",
            "table",
            "consistency",
            "tls",
            "timeoutMillis",
            "keepMarkedDays",
            "tombstoneDays",
            "schemaMode",
            "acceptUnsafeDurability");

    public CassandraUri {
        contacts = List.copyOf(contacts);
        if (contacts.isEmpty()) {
            throw new IllegalArgumentException("a cassandra: URI names at least one node: " + RIGHT);
        }
        requireName("keyspace", keyspace);
        requireName("table", table);
        if (datacenter.isBlank()) {
            throw new IllegalArgumentException(
                    "a cassandra: URI names the local data center, as nodetool status does: " + RIGHT);
        }
    }

    private static void requireName(String what, String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("the " + what
                    + " of a cassandra: URI has 1 to 48 small letters, digits and underscores, and begins with a letter: "
                    + RIGHT);
        }
    }

    /** Whether this is the URI of a store in Cassandra. */
    public static boolean isCassandra(String uri) {
        return uri.startsWith(SCHEME + ":");
    }

    /**
     * Reads a URI.
     *
     * @throws IllegalArgumentException when it is malformed; the message says what would be right, and no password
     */
    public static CassandraUri parse(String uri) {
        int slash = uri.startsWith(SCHEME + "://") ? uri.indexOf('/', SCHEME.length() + 3) : -1;
        if (slash < 0) {
            throw new IllegalArgumentException("not the URI of a keyspace in Cassandra: " + RIGHT);
        }
        String authority = uri.substring(SCHEME.length() + 3, slash);
        String path = uri.substring(slash + 1);
        int question = path.indexOf('?');
        Map<String, String> parameters = parameters(question < 0 ? "" : path.substring(question + 1));
        int at = authority.lastIndexOf('@');
        String credentials = at < 0 ? null : authority.substring(0, at);
        int colon = credentials == null ? -1 : credentials.indexOf(':');
        if (credentials != null && colon < 0) {
            throw new IllegalArgumentException("a cassandra: URI names user and password, or neither: " + RIGHT);
        }
        return new CassandraUri(
                contacts(authority.substring(at + 1)),
                question < 0 ? path : path.substring(0, question),
                parameters.getOrDefault("table", TABLE),
                parameters.getOrDefault("dc", ""),
                credentials == null ? null : decoded(credentials.substring(0, colon)),
                credentials == null ? null : decoded(credentials.substring(colon + 1)),
                choice("tls", parameters, "true", "false", "false"),
                options(parameters));
    }

    private static List<Contact> contacts(String hosts) {
        List<Contact> contacts = new ArrayList<>();
        for (String host : hosts.split(",", -1)) {
            Matcher matcher = CONTACT.matcher(host);
            if (!matcher.matches()) {
                throw new IllegalArgumentException(
                        "a cassandra: URI names its nodes as host:port, with commas: " + RIGHT);
            }
            int port = matcher.group("port") == null ? PORT : Integer.parseInt(matcher.group("port"));
            if (port < 1 || port > MOST_PORT) {
                throw new IllegalArgumentException("a port of a cassandra: URI is between 1 and " + MOST_PORT);
            }
            contacts.add(new Contact(matcher.group("host").replaceAll("[\\[\\]]", ""), port));
        }
        return contacts;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static Map<String, String> parameters(String query) {
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String pair : query.isEmpty() ? new String[0] : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            String name = equals < 0 ? pair : pair.substring(0, equals);
            if (!PARAMETERS.contains(name)) {
                throw new IllegalArgumentException(
                        "a cassandra: URI has an unknown parameter: use " + String.join(", ", PARAMETERS));
            }
            if (parameters.put(name, equals < 0 ? "" : decoded(pair.substring(equals + 1))) != null) {
                throw new IllegalArgumentException(name + " is given twice in a cassandra: URI");
            }
        }
        return parameters;
    }

    private static CassandraOptions options(Map<String, String> parameters) {
        CassandraOptions none = CassandraOptions.DEFAULT;
        return new CassandraOptions(
                choice("consistency", parameters, "local", "global", "global") ? Consistency.LOCAL : Consistency.GLOBAL,
                Duration.ofMillis(
                        number("timeoutMillis", parameters, none.timeout().toMillis())),
                Duration.ofDays(
                        number("keepMarkedDays", parameters, none.keepMarked().toDays())),
                choice("schemaMode", parameters, "create", "validate", "create"),
                choice("acceptUnsafeDurability", parameters, "true", "false", "false"),
                Duration.ofDays(number("tombstoneDays", parameters, 0)));
    }

    private static boolean choice(
            String name, Map<String, String> parameters, String yes, String no, String otherwise) {
        String value = parameters.getOrDefault(name, otherwise);
        if (!value.equals(yes) && !value.equals(no)) {
            throw new IllegalArgumentException(name + " of a cassandra: URI must be " + yes + " or " + no);
        }
        return value.equals(yes);
    }

    private static long number(String name, Map<String, String> parameters, long otherwise) {
        String value = parameters.get(name);
        if (value == null) {
            return otherwise;
        }
        if (!value.matches("[1-9][0-9]{0,6}")) {
            throw new IllegalArgumentException(name + " of a cassandra: URI must be a number from 1 to 9999999");
        }
        return Long.parseLong(value);
    }

    public CassandraUri withOptions(CassandraOptions other) {
        return new CassandraUri(contacts, keyspace, table, datacenter, user, password, tls, other);
    }

    /** Without user and password. */
    @Override
    public String toString() {
        return SCHEME + "://"
                + String.join(
                        ",",
                        contacts.stream()
                                .map(contact -> contact.host() + ":" + contact.port())
                                .toList())
                + "/" + keyspace + "?dc=" + datacenter;
    }
}
