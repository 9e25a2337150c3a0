package dev.semel.redis.connection;

import dev.semel.redis.uri.RedisUri;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A cluster node's {@code MOVED} or {@code ASK} error: the node that has the slot instead.
 *
 * @param asking whether it is an {@code ASK}, which holds for one command, since the slot is still being moved
 */
record Redirection(RedisUri.Node node, boolean asking) {

    private static final Pattern ERROR = Pattern.compile("(MOVED|ASK) [0-9]+ (.*):([0-9]{1,5})");

    /**
     * Parses an error.
     *
     * @param from the node that sent it; an error without a host means the same host
     * @return null for any other error
     */
    static @Nullable Redirection of(String error, RedisUri.@Nullable Node from) {
        Matcher matcher = ERROR.matcher(error);
        if (from == null || !matcher.matches()) {
            return null;
        }
        String host = matcher.group(2).isEmpty() ? from.host() : matcher.group(2);
        return new Redirection(
                new RedisUri.Node(host, Integer.parseInt(matcher.group(3))),
                matcher.group(1).equals("ASK"));
    }
}
