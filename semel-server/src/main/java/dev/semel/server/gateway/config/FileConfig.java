package dev.semel.server.gateway.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a file says. The part about requests can be reloaded; the rest is read at the start.
 *
 * @param listen null when the file does not say
 * @param admin null when the file does not say
 * @param store null when the file does not say
 * @param drain null when the file does not say
 * @param pruneEvery how often records past their retention are deleted
 * @param tls null for clear text
 * @param accessLog null when the file does not say
 * @param console the console on the admin listener
 */
public record FileConfig(
        @Nullable HostPort listen,
        @Nullable HostPort admin,
        @Nullable String store,
        @Nullable Duration drain,
        Duration pruneEvery,
        @Nullable TlsConfig tls,
        LimitsConfig limits,
        @Nullable AccessLogConfig accessLog,
        ConsoleConfig console,
        GatewayConfig gateway) {

    /** What there is without a file. */
    public static FileConfig of(GatewayConfig gateway) {
        return new FileConfig(
                null,
                null,
                null,
                null,
                StoreConfig.DEFAULT_PRUNE_EVERY,
                null,
                LimitsConfig.DEFAULT,
                null,
                ConsoleConfig.DEFAULT,
                gateway);
    }

    /** The same, with requests treated in another way. */
    public FileConfig gateway(GatewayConfig other) {
        return new FileConfig(listen, admin, store, drain, pruneEvery, tls, limits, accessLog, console, other);
    }
}
