package dev.semel.examples.policies;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.spring.Idempotent;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
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
import org.springframework.util.ClassUtils;

@DisplayName("The snippets in docs/how-to/migrate.md")
class MigratingTest {

    private static final Pattern SNIPPET = Pattern.compile("```java semel\n(.*?)```", Pattern.DOTALL);

    /** Types that the snippets use. */
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
            record Receipt(int number) {
                String id() { return "ch_" + number; }
            }
            record OldRow(String owner, Receipt receipt) {}
            record Mail(String messageId, String to, String subject) {}
            record MailReceipt(int number) {}

            @Component
            class Bank {
                private int charges;
                Receipt charge(Object what, String key) { return new Receipt(++charges); }
                Optional<Receipt> find(String key) { return Optional.empty(); }
            }

            @Component
            class OldTable {
                OldRow insertOrFind(String key, String owner) { return new OldRow(owner, null); }
                void finish(String key, Receipt receipt) {}
            }

            @Component
            class PostOffice {
                private int mails;
                MailReceipt send(Mail mail) { return new MailReceipt(++mails); }
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
        return SNIPPET.matcher(Files.readString(Path.of("..", "..", "docs", "how-to", "migrate.md")))
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
    void compile_start_and_run_once(String snippet, @TempDir Path classes) throws Exception {
        compile(AROUND + snippet, classes);
        try (URLClassLoader loader = new URLClassLoader(
                        new URL[] {classes.toUri().toURL()}, getClass().getClassLoader());
                ConfigurableApplicationContext started = start(loader, classes)) {
            Method method = idempotent(started);
            Object bean = started.getBean(method.getDeclaringClass());
            Object[] arguments = example(method.getParameterTypes());
            assertThat(method.invoke(bean, arguments))
                    .isNotNull()
                    .isEqualTo(method.invoke(bean, arguments))
                    .hasToString(method.getReturnType().getSimpleName() + "[number=1]");
        }
    }

    private static Method idempotent(ConfigurableApplicationContext started) throws ReflectiveOperationException {
        for (String name : started.getBeanDefinitionNames()) {
            Class<?> type = ClassUtils.getUserClass(started.getType(name));
            for (Method method : type.getDeclaredMethods()) {
                if (method.isAnnotationPresent(Idempotent.class)) {
                    method.setAccessible(true);
                    return method;
                }
            }
        }
        throw new NoSuchMethodException("no method is @Idempotent");
    }

    private static Object[] example(Class<?>[] types) throws ReflectiveOperationException {
        Object[] values = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            values[i] = example(types[i]);
        }
        return values;
    }

    private static Object example(Class<?> type) throws ReflectiveOperationException {
        if (type == String.class) {
            return "a";
        }
        if (type == int.class) {
            return 1;
        }
        Constructor<?> constructor = type.getDeclaredConstructors()[0];
        constructor.setAccessible(true);
        return constructor.newInstance(example(constructor.getParameterTypes()));
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

    /** A start validates expressions, and finds resolvers without an operation. */
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
