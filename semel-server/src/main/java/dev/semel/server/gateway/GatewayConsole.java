package dev.semel.server.gateway;

import dev.semel.Operation;
import dev.semel.admin.AdminApi;
import dev.semel.admin.Catalog;
import dev.semel.admin.LiveFigures;
import dev.semel.admin.MisuseLog;
import dev.semel.admin.ReplayLog;
import dev.semel.admin.access.AdminTime;
import dev.semel.admin.access.Authenticator;
import dev.semel.admin.access.TokenFile;
import dev.semel.engine.SemelEngine;
import dev.semel.engine.SemelListener;
import dev.semel.server.console.AdminHandler;
import dev.semel.server.console.StoreFindings;
import dev.semel.server.gateway.config.ConsoleConfig;
import dev.semel.server.gateway.config.GatewayConfig;
import dev.semel.server.gateway.config.HostPort;
import dev.semel.server.gateway.config.RouteConfig;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Supplier;

/** The console of a gateway: it shows what passes the gateway, and its routes. */
final class GatewayConsole {

    private final String store;
    private final LiveFigures live = new LiveFigures(AdminTime.system());
    private final MisuseLog misuse = new MisuseLog(AdminTime.system());
    private final ReplayLog replays = new ReplayLog(AdminTime.system());

    /** @param store the URI of the gateway's store */
    GatewayConsole(String store) {
        this.store = store;
    }

    /** What must listen to the gateway's engine. */
    List<SemelListener> listeners() {
        return List.of(live, misuse, replays);
    }

    /**
     * The handler of the console; empty on an address that other machines reach, unless people log in.
     *
     * @throws IllegalArgumentException when the file of tokens cannot be read
     */
    Optional<AdminHandler> handler(
            SemelEngine semel, ConsoleConfig config, HostPort listen, Supplier<GatewayConfig> current) {
        boolean loopback = isLoopback(listen.host());
        Path tokens = config.tokens();
        if (tokens == null && !loopback) {
            return Optional.empty();
        }
        Authenticator access = tokens == null ? Authenticator.none("local") : new TokenFile(tokens);
        return Optional.of(new AdminHandler(AdminApi.on(semel, access)
                .writes(config.write())
                .approvals(config.approvals())
                .loopbackOnly(tokens == null)
                .storeName(nameOf(store))
                .doctor(() -> StoreFindings.of(store))
                .live(live, misuse, replays)
                .catalog(new Routes(current))
                .build()));
    }

    /** The kind of a store and where it is: neither user nor password, which a URI may contain. */
    private static String nameOf(String uri) {
        return uri.replaceFirst("//[^/@]*@", "//").replaceFirst("\\?.*", "");
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    /** The routes in force. */
    private record Routes(Supplier<GatewayConfig> current) implements Catalog {

        @Override
        public List<Operation> operations() {
            return current.get().routes().stream()
                    .map(RouteConfig::policy)
                    .filter(Objects::nonNull)
                    .map(policy -> policy.operation())
                    .distinct()
                    .toList();
        }

        @Override
        public List<Route> routes() {
            return current.get().routes().stream()
                    .map(route -> new Route(match(route), route.policy()))
                    .toList();
        }

        private static String match(RouteConfig route) {
            String methods = route.methods().isEmpty() ? "*" : String.join(",", new TreeSet<>(route.methods()));
            String hosts = route.hosts().isEmpty() ? "" : " " + String.join(",", new TreeSet<>(route.hosts()));
            return methods + hosts + " " + route.path();
        }
    }
}
