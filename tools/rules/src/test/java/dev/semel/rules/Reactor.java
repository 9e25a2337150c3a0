package dev.semel.rules;

import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.LocationProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The modules of the build, by the list in the parent POM. */
public final class Reactor implements LocationProvider {

    /** Surefire runs tests in the folder of their module. */
    static final Path ROOT = Path.of("").toAbsolutePath().getParent().getParent();

    private static final Pattern MODULE = Pattern.compile("<module>(.+?)</module>");

    /** Every module but this one. */
    static List<Path> modules() {
        try {
            return MODULE.matcher(Files.readString(ROOT.resolve("pom.xml")))
                    .results()
                    .map(match -> ROOT.resolve(match.group(1)))
                    .filter(module -> !module.endsWith("rules"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Path classesOf(Path module) {
        return module.resolve("target/classes");
    }

    /** Whether the module has main code of its own. */
    static boolean hasMainCode(Path module) {
        return Files.isDirectory(module.resolve("src/main/java"))
                || Files.isDirectory(module.resolve("src/main/kotlin"));
    }

    @Override
    public Set<Location> get(Class<?> testClass) {
        return modules().stream()
                .filter(Reactor::hasMainCode)
                .map(module -> Location.of(classesOf(module)))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Every text file that people read: sources, scripts, docs. */
    static List<Path> texts() {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> isText(ROOT.relativize(file)))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isText(Path file) {
        for (Path part : file) {
            if (Set.of("target", ".git", ".semel").contains(part.toString())) {
                return false;
            }
        }
        return file.toString().matches(".*\\.(java|kt|md|sql|lua|json|ya?ml|xml|properties|js|html|css)|semel|test");
    }
}
