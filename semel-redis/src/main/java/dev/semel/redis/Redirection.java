package dev.semel.redis;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a node of a cluster says about a slot that it does not have.
 *
 * @param asking whether it is only for this once, since the slot is still being moved
 */
record Redirection(RedisUri.Node node, boolean asking) {

    private static final Pattern ERROR = Pattern.compile("(MOVED|ASK) [0-9]+ (.*):([0-9]{1,5})");

    /**
     * Reads an error.
     *
     * @param from who has said it; a node that does not know its own name means the same host
     * @return null where it is another error
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
