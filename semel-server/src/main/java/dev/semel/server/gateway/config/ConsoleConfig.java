package dev.semel.server.gateway.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The console on the admin listener.
 *
 * @param write whether people may settle, requeue, forget and prune
 * @param tokens the file with the tokens of people; null where everyone who reaches the listener is let in, which is only done on
 *     loopback
 * @param approvals how many people it takes to settle
 */
public record ConsoleConfig(boolean write, @Nullable Path tokens, int approvals) {

    /** Read-only, and only on loopback. */
    public static final ConsoleConfig DEFAULT = new ConsoleConfig(false, null, 1);

    public ConsoleConfig {
        if (approvals != 1 && approvals != 2) {
            throw new IllegalArgumentException("approvals is " + approvals + ", it must be 1 or 2");
        }
        if (approvals == 2 && tokens == null) {
            throw new IllegalArgumentException(
                    "approvals 2 needs tokens: without them, nothing tells two people apart");
        }
    }

    static ConsoleConfig read(ConfigNode node) {
        boolean write = node.value("write", Values::yesOrNo).orElse(false);
        Path tokens = node.value("tokens", Path::of).orElse(null);
        int approvals = node.value("approvals", Values::number).orElse(1);
        ConsoleConfig config = node.understood("approvals", () -> new ConsoleConfig(write, tokens, approvals));
        node.requireNoMore();
        return config;
    }
}
