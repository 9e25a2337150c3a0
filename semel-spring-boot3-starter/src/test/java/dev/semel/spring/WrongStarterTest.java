package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@DisplayName("A Spring Boot 3 application with the starter for Spring Boot 4")
@ExtendWith(OutputCaptureExtension.class)
class WrongStarterTest {

    private static final Path OTHER = Path.of("..", "semel-spring-boot-starter", "target", "classes");

    @EnableAutoConfiguration
    static class Application {}

    /** Called in a class loader that has the classes of the other starter. */
    public static final class Start implements Runnable {

        @Override
        public void run() {
            SpringApplication.run(Application.class, "--semel.store=memory:");
        }
    }

    private static URL[] classPathWithOtherStarter() throws MalformedURLException {
        String own = Path.of("target", "classes").toAbsolutePath().toString();
        String[] entries = System.getProperty("java.class.path").split(File.pathSeparator);
        URL[] urls = new URL[entries.length];
        for (int i = 0; i < entries.length; i++) {
            urls[i] = (entries[i].equals(own) ? OTHER : Path.of(entries[i]))
                    .toUri()
                    .toURL();
        }
        return urls;
    }

    @Test
    void does_not_start_and_says_in_one_sentence_which_starter_it_needs(CapturedOutput output) throws Exception {
        assertThat(Files.isDirectory(OTHER)).as(OTHER + ": compile it first").isTrue();
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(classPathWithOtherStarter(), ClassLoader.getPlatformClassLoader())) {
            Thread.currentThread().setContextClassLoader(loader);
            Runnable start = (Runnable)
                    loader.loadClass(Start.class.getName()).getConstructor().newInstance();
            String sentence = "semel-spring-boot-starter does not support Spring Boot " + SpringBootVersion.getVersion()
                    + ": depend on dev.semel:semel-spring-boot3-starter instead.";

            assertThatThrownBy(start::run).hasMessage(sentence);
            assertThat(output.getOut())
                    .contains("APPLICATION FAILED TO START")
                    .contains(sentence)
                    .doesNotContain("\tat ");
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }
}
