package dev.semel.server.gateway.config;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.nodes.Node;

/** Reads a configuration from a YAML file. The same fields are in {@code gateway.schema.json}, for editors. */
public final class ConfigFile {

    private static final int MOST_BYTES = 1 << 20;

    private ConfigFile() {}

    /**
     * What the command line says and a file need not: each wins over the file.
     *
     * @param upstream null when it is not given
     * @param scope null when it is not given
     */
    public record Given(
            @Nullable UpstreamAddress upstream,
            @Nullable ScopeConfig scope,
            List<String> trustedProxies,
            JwtConfig jwt) {}

    /**
     * Reads a file.
     *
     * @throws ConfigException when it cannot be read or understood
     */
    public static FileConfig read(Path file, Given given) {
        return parse(file.toString(), contentOf(file), given, name -> Optional.ofNullable(System.getenv(name)));
    }

    private static String contentOf(Path file) {
        try {
            if (Files.size(file) > MOST_BYTES) {
                throw new ConfigException(file.toString(), 0, "", "the file is larger than " + MOST_BYTES + " bytes");
            }
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (NoSuchFileException e) {
            throw new ConfigException(file.toString(), 0, "", "there is no such file");
        } catch (IOException e) {
            throw new ConfigException(file.toString(), 0, "", "the file cannot be read: " + e.getMessage());
        }
    }

    static FileConfig parse(String file, String content, Given given, Function<String, Optional<String>> variables) {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        options.setMaxAliasesForCollections(0);
        Node node;
        try {
            node = new Yaml(options).compose(new StringReader(content));
        } catch (MarkedYAMLException e) {
            int line = e.getProblemMark() == null ? 0 : e.getProblemMark().getLine() + 1;
            throw new ConfigException(file, line, "", "this is no YAML: " + e.getProblem());
        }
        if (node == null) {
            throw new ConfigException(file, 0, "", "the file is empty");
        }
        return config(ConfigNode.root(new ConfigNode.Source(file, variables), node), given);
    }

    private static FileConfig config(ConfigNode root, Given given) {
        HostPort listen = root.value("listen", HostPort::parse).orElse(null);
        HostPort admin = root.value("admin", HostPort::parse).orElse(null);
        String store = root.text("store").orElse(null);
        TlsConfig tls = root.mapping("tls").map(ConfigFile::tls).orElse(null);
        FileConfig config = new FileConfig(
                listen,
                admin,
                store,
                root.value("drain", Values::positive).orElse(null),
                root.value("prune-every", Values::positive).orElse(StoreConfig.DEFAULT_PRUNE_EVERY),
                tls,
                root.mapping("limits").map(LimitsConfig::read).orElse(LimitsConfig.DEFAULT),
                root.value("access-log", AccessLogConfig::parse).orElse(null),
                root.mapping("console").map(ConsoleConfig::read).orElse(ConsoleConfig.DEFAULT),
                gateway(root, tls, given));
        root.requireNoMore();
        return config;
    }

    private static GatewayConfig gateway(ConfigNode root, @Nullable TlsConfig tls, Given given) {
        List<String> proxies = new ArrayList<>(root.texts("trusted-proxies"));
        proxies.addAll(given.trustedProxies());
        ScopeConfig fileScope = root.value("scope", ScopeConfig::parse).orElse(null);
        ScopeConfig scope = given.scope() == null ? fileScope : given.scope();
        if (scope == null) {
            throw root.wrong("scope", "it must be said whom keys belong to: " + ScopeConfig.CHOICES);
        }
        UpstreamAddress fileUpstream =
                root.value("upstream", UpstreamAddress::parse).orElse(null);
        UpstreamAddress upstream = given.upstream() == null ? fileUpstream : given.upstream();
        String statusPath = root.text("status-path").orElse(GatewayConfig.DEFAULT_STATUS_PATH);
        JwtConfig fileJwt = root.mapping("jwt").map(ConfigFile::jwt).orElse(JwtConfig.NONE);
        JwtConfig jwt = given.jwt().jwks() == null ? fileJwt : given.jwt();
        TrustedProxies trusted = root.understood("trusted-proxies", () -> TrustedProxies.of(proxies));
        VerifiedOwners owners = new VerifiedOwners(trusted, jwt, tls);
        owners.require(root, scope);
        ReplayCheckConfig replayCheck =
                root.mapping("replay-check").map(ReplayCheckConfig::read).orElseGet(ReplayCheckConfig.None::new);
        owners.require(root, replayCheck);
        return new GatewayConfig(
                scope,
                jwt,
                trusted,
                root.text("key-header").orElse(GatewayConfig.DEFAULT_KEY_HEADER),
                statusPath,
                routes(root, upstream, scope, owners, statusPath),
                root.mapping("settle").map(ConfigFile::settling).orElse(SettlingConfig.DEFAULT),
                replayCheck,
                new GatewayConfig.AnswersConfig(
                        root.value("answer-headers", Values::yesOrNo).orElse(true),
                        root.value("policy-path", ConfigFile::plainPath).orElse(null)));
    }

    private static String plainPath(String path) {
        if (!path.matches("(/[A-Za-z0-9_-]+)+")) {
            throw new IllegalArgumentException("'" + path + "' is no plain path; use one such as /idempotency/policy");
        }
        return path;
    }

    private static SettlingConfig settling(ConfigNode node) {
        SettlingConfig settling = new SettlingConfig(
                node.value("token", SettleToken::of).orElse(null),
                node.value("every", Values::positive).orElse(SettlingConfig.DEFAULT_EVERY));
        node.requireNoMore();
        return settling;
    }

    private static TlsConfig tls(ConfigNode node) {
        TlsConfig tls = new TlsConfig(
                node.value("certificate", Path::of)
                        .orElseThrow(() -> node.wrong("certificate", "TLS needs a certificate: name a file in PEM")),
                node.value("key", Path::of)
                        .orElseThrow(
                                () -> node.wrong("key", "TLS needs the key of the certificate: name a file in PEM")),
                node.value("client-ca", Path::of).orElse(null));
        node.requireNoMore();
        for (Path file : tls.files()) {
            if (!Files.isReadable(file)) {
                throw node.wrong("the file " + file + " cannot be read");
            }
        }
        return tls;
    }

    private static JwtConfig jwt(ConfigNode node) {
        JwtConfig jwt = new JwtConfig(
                node.text("jwks").orElse(null),
                node.text("issuer").orElse(null),
                node.text("audience").orElse(null));
        node.requireNoMore();
        return jwt;
    }

    private static List<RouteConfig> routes(
            ConfigNode root,
            @Nullable UpstreamAddress upstream,
            ScopeConfig scope,
            VerifiedOwners owners,
            String statusPath) {
        List<RouteConfig> routes = new ArrayList<>();
        Set<String> paths = new HashSet<>(Set.of(statusPath));
        Set<String> names = new HashSet<>();
        boolean explaining = root.value("explain-mismatches", Values::yesOrNo).orElse(true);
        for (ConfigNode node : root.mappings("routes")) {
            RouteConfig route = new RouteReader(node, upstream, explaining).read();
            if (!names.add(route.name())) {
                throw node.wrong("name", "another route has the name " + route.name() + " already");
            }
            if (route.scope() != null) {
                owners.require(node, route.scope());
            }
            node.understood("resolver", () -> GatewayConfig.requireOwnLookup(scope, route));
            node.understood("webhook", () -> GatewayConfig.requireOwnEvents(scope, route));
            node.understood("webhook", () -> GatewayConfig.requireOwnPath(paths, route));
            routes.add(route);
        }
        if (routes.isEmpty()) {
            throw root.wrong("routes", "at least one route is needed; one with 'path: \"*\"' takes every request");
        }
        return routes;
    }
}
