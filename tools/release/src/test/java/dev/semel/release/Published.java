package dev.semel.release;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The modules of the build that are published, as the build left them in their target folders; with {@code -Dinstalled=true} as they
 * were installed in the local repository of the build.
 */
final class Published {

    /** Failsafe runs tests in the folder of their module. */
    static final Path ROOT = Path.of("").toAbsolutePath().getParent().getParent();

    static final String VERSION = System.getProperty("semel.version");

    private static final boolean INSTALLED = Boolean.getBoolean("semel.installed");

    private static final Pattern MODULE = Pattern.compile("<module>(.+?)</module>");

    private Published() {}

    /** Modules with a jar; the BOM has none. */
    static List<Path> modules() {
        return MODULE.matcher(read(ROOT.resolve("pom.xml")))
                .results()
                .map(match -> ROOT.resolve(match.group(1)))
                .filter(module -> !module.endsWith("semel-bom"))
                .filter(module ->
                        !read(module.resolve("pom.xml")).contains("<maven.deploy.skip>true</maven.deploy.skip>"))
                .toList();
    }

    static String artifact(Path module) {
        return module.getFileName().toString();
    }

    static Path jar(Path module) {
        return INSTALLED
                ? installed(artifact(module), ".jar")
                : module.resolve("target/" + artifact(module) + "-" + VERSION + ".jar");
    }

    static Path pom(Path module) {
        return INSTALLED ? installed(artifact(module), ".pom") : module.resolve("target/consumer-pom.xml");
    }

    static Path bom() {
        return INSTALLED ? installed("semel-bom", ".pom") : ROOT.resolve("semel-bom/pom.xml");
    }

    private static Path installed(String artifact, String extension) {
        return inRepository(Path.of(System.getProperty("local.repository")), artifact, extension);
    }

    private static Path inRepository(Path repository, String artifact, String extension) {
        return repository.resolve("dev/semel/" + artifact + "/" + VERSION + "/" + artifact + "-" + VERSION + extension);
    }

    /** Copies every published artifact to a directory that Maven can use as a repository. */
    static void copyTo(Path repository) throws IOException {
        for (Path module : modules()) {
            copy(jar(module), repository, artifact(module), ".jar");
            copy(pom(module), repository, artifact(module), ".pom");
        }
        copy(bom(), repository, "semel-bom", ".pom");
    }

    private static void copy(Path file, Path repository, String artifact, String extension) throws IOException {
        Path copy = inRepository(repository, artifact, extension);
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy);
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
