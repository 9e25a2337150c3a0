package dev.semel.messaging.brokers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Class loaders that see the platform and the libraries of the given types only, to show which libraries a package needs. */
public final class IsolatedClassPath {

    private IsolatedClassPath() {}

    /** A loader of the directories and jars that hold these types. */
    public static URLClassLoader of(List<Class<?>> types) {
        URL[] places = types.stream()
                .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
                .distinct()
                .toArray(URL[]::new);
        return new URLClassLoader(places, ClassLoader.getPlatformClassLoader());
    }

    /** Asserts that every class of a type's package loads with that type's own module and these libraries. */
    public static void assertPackageLoads(Class<?> member, Class<?>... libraries) throws Exception {
        List<Class<?>> types =
                Stream.concat(Stream.of(member), Arrays.stream(libraries)).toList();
        try (URLClassLoader loader = of(types)) {
            List<String> names = classesBeside(member);
            assertThat(names).contains(member.getName());
            for (String name : names) {
                Class<?> type = Class.forName(name, true, loader);
                assertThat(type.getClassLoader()).isSameAs(loader);
                // These resolve the types that members mention.
                assertThat(type.getDeclaredMethods()).isNotNull();
                assertThat(type.getDeclaredConstructors()).isNotNull();
                assertThat(type.getDeclaredFields()).isNotNull();
            }
        }
    }

    private static List<String> classesBeside(Class<?> member) throws IOException, URISyntaxException {
        Path place = Path.of(
                member.getProtectionDomain().getCodeSource().getLocation().toURI());
        if (Files.isDirectory(place)) {
            return classesIn(place, member.getPackageName());
        }
        try (FileSystem jar = FileSystems.newFileSystem(place)) {
            return classesIn(jar.getPath("/"), member.getPackageName());
        }
    }

    private static List<String> classesIn(Path root, String packageName) throws IOException {
        try (Stream<Path> files = Files.list(root.resolve(packageName.replace('.', '/')))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".class") && !name.equals("package-info.class"))
                    .map(name -> packageName + "." + name.substring(0, name.length() - ".class".length()))
                    .toList();
        }
    }
}
