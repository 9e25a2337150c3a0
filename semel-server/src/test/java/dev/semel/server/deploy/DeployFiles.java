package dev.semel.server.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.cli.CommandLines;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The files of {@code deploy/}, and what all of them must keep to. */
final class DeployFiles {

    /** Surefire runs tests in the folder of their module. */
    static final Path FOLDER = Path.of("").toAbsolutePath().resolveSibling("deploy");

    private DeployFiles() {}

    static String read(String name) {
        try {
            return Files.readString(FOLDER.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The documents of a file. A member that is there twice is an error. */
    @SuppressWarnings("unchecked")
    static List<Map<String, Object>> yaml(String name) {
        LoaderOptions strict = new LoaderOptions();
        strict.setAllowDuplicateKeys(false);
        List<Map<String, Object>> documents = new ArrayList<>();
        for (Object document : new Yaml(new SafeConstructor(strict)).loadAll(read(name))) {
            documents.add((Map<String, Object>) document);
        }
        return documents;
    }

    /** Whether an image has a fixed tag and no registry, so that every registry can serve it. */
    static boolean isPlainImage(String image) {
        return image.matches("[a-z0-9][a-z0-9-]*(/[a-z0-9-]+)?:(?!latest$)[A-Za-z0-9][A-Za-z0-9._-]*");
    }

    /** Fails unless the command line accepts these arguments, except that no store is named. */
    static void assertCommand(List<String> arguments) {
        assertThat(CommandLines.refusal(arguments))
                .as(String.join(" ", arguments))
                .isEmpty();
    }
}
