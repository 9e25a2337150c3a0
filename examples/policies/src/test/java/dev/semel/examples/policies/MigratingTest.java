package dev.semel.examples.policies;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.stereotype.Component;

@DisplayName("The snippets in docs/migrating.md")
class MigratingTest {

    private static final Pattern SNIPPET = Pattern.compile("```java semel\n(.*?)```", Pattern.DOTALL);

    /** What the snippets take for granted. */
    private static final String AROUND = """
            package snippet;

            import dev.semel.*;
            import dev.semel.reconcile.*;
            import dev.semel.spring.*;
            import java.util.Optional;
            import org.springframework.stereotype.*;
            import tools.jackson.databind.json.JsonMapper;

            record ChargeRequest(String account, String key, int amount) {}
            record Order(int amount, String currency) {}
            record Receipt(String id) {}
            record OldRow(String owner, Receipt receipt) {}
            record Mail(String messageId, String to, String subject) {}
            record MailReceipt(String id) {}

            @Component
            class Bank {
                Receipt charge(Object what, String key) { return new Receipt(key); }
                Optional<Receipt> find(String key) { return Optional.empty(); }
            }

            @Component
            class OldTable {
                OldRow insertOrFind(String key, String owner) { return new OldRow(owner, null); }
                void finish(String key, Receipt receipt) {}
            }

            @Component
            class PostOffice {
                MailReceipt send(Mail mail) { return new MailReceipt(mail.messageId()); }
            }
            """;

    @EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
    static class Application {}

    private static final class Source extends SimpleJavaFileObject {
        private final String code;

        Source(String code) {
            super(URI.create("string:///Snippet.java"), Kind.SOURCE);
            this.code = code;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return code;
        }
    }

    static List<String> snippets() throws IOException {
        return SNIPPET.matcher(Files.readString(Path.of("..", "..", "docs", "migrating.md")))
                .results()
                .map(match -> match.group(1))
                .toList();
    }

    @Test
    void are_there() throws IOException {
        assertThat(snippets()).hasSize(4);
    }

    @ParameterizedTest
    @MethodSource("snippets")
    void compile_and_start(String snippet, @TempDir Path classes) throws Exception {
        compile(AROUND + snippet, classes);
        try (URLClassLoader loader = new URLClassLoader(
                        new URL[] {classes.toUri().toURL()}, getClass().getClassLoader());
                ConfigurableApplicationContext started = start(loader, classes)) {
            assertThat(started.isRunning()).isTrue();
        }
    }

    private static void compile(String code, Path classes) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter errors = new StringWriter();
        List<String> options = List.of(
                "-d", classes.toString(), "-cp", System.getProperty("java.class.path"), "-parameters", "-proc:none");
        boolean compiled = compiler.getTask(errors, null, null, options, null, List.of(new Source(code)))
                .call();
        assertThat(compiled).as(errors.toString()).isTrue();
    }

    /** Starting says what is wrong with expressions, and with resolvers that belong to no operation. */
    private static ConfigurableApplicationContext start(ClassLoader loader, Path classes) throws Exception {
        List<Class<?>> sources = new ArrayList<>(List.of(Application.class));
        try (Stream<Path> files = Files.list(classes.resolve("snippet"))) {
            for (Path file : files.toList()) {
                Class<?> compiled = loader.loadClass(
                        "snippet." + file.getFileName().toString().replace(".class", ""));
                if (AnnotatedElementUtils.hasAnnotation(compiled, Component.class)) {
                    sources.add(compiled);
                }
            }
        }
        return new SpringApplicationBuilder(new DefaultResourceLoader(loader), sources.toArray(Class<?>[]::new))
                .web(WebApplicationType.NONE)
                .run(
                        "--semel.store=memory:",
                        "--spring.main.banner-mode=off",
                        "--logging.level.root=error",
                        "--spring.config.location=optional:none/");
    }
}
