package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Semel as an application sees it that has no driver, or only that of another database. */
@DisplayName("A missing JDBC driver")
class MissingDriverTest {

    private static final String DRIVERS = ".*(sqlite-jdbc|mariadb-java-client|postgresql)-[0-9].*";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({
        "postgresql://localhost/semel, org.postgresql:postgresql",
        "mysql://localhost/semel, org.mariadb.jdbc:mariadb-java-client",
        "mariadb://localhost/semel, org.mariadb.jdbc:mariadb-java-client",
        "sqlite:records.db, org.xerial:sqlite-jdbc"
    })
    void is_named_with_the_dependency_to_add(String uri, String dependency) throws Exception {
        Throwable refused = catchThrowable(() -> openWithout(DRIVERS, uri));

        assertThat(refused.getClass().getName()).isEqualTo("dev.semel.StoreException");
        assertThat(refused)
                .hasMessageContaining("is not on the class path")
                .hasMessageEndingWith("add the dependency " + dependency);
        assertThat(Path.of("records.db")).doesNotExist();
    }

    @Test
    void of_another_database_is_not_missed() throws Exception {
        String uri = "sqlite:" + folder.resolve("records.db");

        openWithout(".*(mariadb-java-client|postgresql)-[0-9].*", uri);

        assertThat(folder.resolve("records.db")).exists();
    }

    private static void openWithout(String libraries, String uri) throws Exception {
        URL[] urls = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.matches(libraries))
                .map(MissingDriverTest::url)
                .toArray(URL[]::new);
        try (URLClassLoader application = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
            Class<?> stores = Class.forName("dev.semel.jdbc.Stores", true, application);
            try (AutoCloseable store =
                    (AutoCloseable) stores.getMethod("open", String.class).invoke(null, uri)) {
                assertThat(store).isNotNull();
            } catch (InvocationTargetException e) {
                throw e.getCause() instanceof Exception failure ? failure : e;
            }
        }
    }

    private static URL url(String entry) {
        try {
            return new File(entry).toURI().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
