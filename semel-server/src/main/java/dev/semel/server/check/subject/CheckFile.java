package dev.semel.server.check.subject;

import dev.semel.server.check.oracle.CommandOracle;
import dev.semel.server.check.oracle.EffectOracle;
import dev.semel.server.check.oracle.GetOracle;
import dev.semel.server.check.oracle.SqlOracle;
import dev.semel.server.check.wire.Header;
import dev.semel.server.gateway.config.ConfigException;
import dev.semel.server.gateway.config.ConfigNode;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.YAMLException;
import picocli.CommandLine;

/**
 * A YAML file with several operations.
 *
 * @param header the key's header; null when the file does not say
 * @param account headers of a second account
 * @param insecure whether a curl command has {@code -k}
 */
public record CheckFile(@Nullable String header, List<Header> account, List<Checked> operations, boolean insecure) {

    /**
     * An operation, and where its effects are counted.
     *
     * @param oracle null when they are not
     */
    public record Checked(Target target, @Nullable EffectOracle oracle) {}

    /**
     * Reads a file.
     *
     * @throws IllegalArgumentException when it cannot be read or understood; the message says the line
     */
    public static CheckFile read(Path file, String keyHeader) {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        try {
            var node = new Yaml(options).compose(new StringReader(Files.readString(file)));
            if (node == null) {
                throw new IllegalArgumentException(file + " is empty");
            }
            return config(
                    file,
                    ConfigNode.root(
                            new ConfigNode.Source(file.toString(), name -> Optional.ofNullable(System.getenv(name))),
                            node),
                    keyHeader);
        } catch (IOException e) {
            throw new IllegalArgumentException(file + " cannot be read", e);
        } catch (YAMLException e) {
            throw new IllegalArgumentException(SourceNode.mistake(file.toString(), "no YAML", e), e);
        } catch (ConfigException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private static CheckFile config(Path file, ConfigNode root, String keyHeader) {
        String header = root.text("header").orElse(null);
        List<Header> account = headers(root, "as");
        EffectOracle shared = oracle(root);
        List<Checked> operations = new ArrayList<>();
        boolean insecure = false;
        for (ConfigNode node : root.mappings("operations")) {
            EffectOracle own = oracle(node);
            operations.add(
                    new Checked(target(file, node, header == null ? keyHeader : header), own == null ? shared : own));
            insecure |= node.value("curl", CheckFile::curl)
                    .map(CurlOptions::insecure)
                    .orElse(false);
            node.requireNoMore();
        }
        if (operations.isEmpty()) {
            throw root.wrong("operations", "at least one operation is needed, with a curl command or a url");
        }
        root.requireNoMore();
        return new CheckFile(header, account, operations, insecure);
    }

    private static Target target(Path file, ConfigNode node, String keyHeader) {
        Target.Bodies bodies = new Target.Bodies(
                node.text("other-body").orElse(null),
                node.text("invalid-body").orElse(null),
                node.text("failing-body").orElse(null));
        String command = node.text("curl").orElse(null);
        Target target = command == null
                ? plain(node, bodies)
                : node.understood("curl", () -> curl(command).target(keyHeader, bodies));
        String name = node.text("name").orElse(target.name());
        return new Target(
                name,
                target.method(),
                target.url(),
                target.headers(),
                target.body(),
                bodies,
                new Target.Place(file.toString(), node.line()));
    }

    private static CurlOptions curl(String command) {
        CurlOptions options = new CurlOptions();
        try {
            new CommandLine(options)
                    .setExpandAtFiles(false)
                    .parseArgs(ShellWords.split(command).toArray(String[]::new));
        } catch (CommandLine.ParameterException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        return options;
    }

    private static Target plain(ConfigNode node, Target.Bodies bodies) {
        String url =
                node.text("url").orElseThrow(() -> node.wrong("url", "an operation needs a url, or a curl command"));
        String method = node.text("method").orElse("POST");
        String body = node.value("body", CurlOptions::content).orElse("");
        Target target = new Target(method + " " + url, method, url, headers(node, "headers"), body, bodies, null);
        node.understood("url", target::sample);
        return target;
    }

    private static List<Header> headers(ConfigNode node, String name) {
        return node.texts(name).stream()
                .map(line -> node.understood(name, () -> Header.parse(line)))
                .toList();
    }

    private static @Nullable EffectOracle oracle(ConfigNode node) {
        List<Header> headers = headers(node, "effects-headers");
        Optional<EffectOracle> get = node.value("effects-get", given -> GetOracle.of(given, headers));
        Optional<EffectOracle> command = node.value("effects-command", CommandOracle::new);
        Optional<EffectOracle> sql = node.mapping("effects-sql").map(CheckFile::sql);
        return get.or(() -> command).or(() -> sql).orElse(null);
    }

    private static EffectOracle sql(ConfigNode node) {
        String url = node.text("url").orElseThrow(() -> node.wrong("url", "the JDBC URL is missing"));
        String query = node.text("query").orElseThrow(() -> node.wrong("query", "the query that counts is missing"));
        node.requireNoMore();
        return node.understood("url", () -> new SqlOracle(url, query));
    }
}
