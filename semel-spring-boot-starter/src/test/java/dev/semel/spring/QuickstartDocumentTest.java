package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.semel.engine.Store;
import dev.semel.http.TransactionRunner;
import dev.semel.memory.MemoryStore;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;

@DisplayName("The quickstart for Spring Boot")
class QuickstartDocumentTest {

    private static final Path DOCUMENT = Path.of("..", "docs", "start", "spring-boot.md");

    /** What an editor adds to the snippets. */
    private static final String IMPORTS = """
            package shop;
            import dev.semel.*;
            import dev.semel.http.*;
            import dev.semel.http.key.*;
            import dev.semel.reconcile.*;
            import dev.semel.spring.*;
            import java.util.*;
            import java.util.concurrent.atomic.*;
            import org.springframework.boot.*;
            import org.springframework.boot.autoconfigure.*;
            import org.springframework.context.annotation.*;
            import org.springframework.http.HttpStatus;
            import org.springframework.stereotype.*;
            import org.springframework.transaction.annotation.*;
            import org.springframework.web.bind.annotation.*;
            """;

    /** The classes of the reader's own application that the snippets use. */
    private static final List<String> OWN_TYPES = List.of(
            "public interface Bank { Receipt charge(Payment payment, String key); Optional<Charge> find(String key); }",
            "public record Payment(long cents) {}",
            "public record Receipt(String number) {}",
            "public record Charge(String id, byte[] receiptBytes) {}",
            "public record ShipOrder(String id) {}",
            "public record Shipment(String id, String state) {}");

    @TempDir
    Path directory;

    private String text = "";

    @BeforeEach
    void read() throws IOException {
        text = Files.readString(DOCUMENT);
    }

    private List<String> blocks(String language) {
        Matcher matcher =
                Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL).matcher(text);
        List<String> blocks = new ArrayList<>();
        while (matcher.find()) {
            blocks.add(matcher.group(1));
        }
        return blocks;
    }

    private Path compiled(List<String> types) throws IOException {
        List<File> sources = new ArrayList<>();
        for (String type : types) {
            Matcher name = Pattern.compile("(?:class|record|interface) (\\w+)").matcher(type);
            assertThat(name.find()).isTrue();
            Path source = directory.resolve(name.group(1) + ".java");
            Files.writeString(source, IMPORTS + type);
            sources.add(source.toFile());
        }
        Path classes = Files.createDirectories(directory.resolve("classes"));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter complaints = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            boolean done = compiler.getTask(
                            complaints,
                            files,
                            null,
                            List.of("-d", classes.toString(), "-parameters", "--release", "17", "-proc:none"),
                            null,
                            files.getJavaFileObjectsFromFiles(sources))
                    .call();
            assertThat(done).as(complaints::toString).isTrue();
        }
        return classes;
    }

    @Test
    void has_an_application_that_works_as_described() throws Exception {
        Path classes = compiled(List.of(blocks("java").get(0)));
        try (URLClassLoader loader = new URLClassLoader(
                new URL[] {classes.toUri().toURL()}, getClass().getClassLoader())) {
            Class<?> shop = loader.loadClass("shop.Shop");
            String store = "semel.store=sqlite:" + directory.resolve("records.db");
            String first;
            try (RunningApplication application = RunningApplication.plain(shop, store)) {
                HttpResponse<String> ordered = application.post("/orders", "basket-1", "{\"item\":\"tea\"}");
                HttpResponse<String> again = application.post("/orders", "basket-1", "{\"item\":\"tea\"}");
                HttpResponse<String> coffee = application.post("/orders", "basket-1", "{\"item\":\"coffee\"}");

                first = ordered.body();
                assertThat(ordered.statusCode()).isEqualTo(201);
                assertThat(first).contains("\"number\":1");
                assertThat(again.statusCode()).isEqualTo(201);
                assertThat(again.body()).isEqualTo(first);
                assertThat(RunningApplication.isReplay(again)).isTrue();
                assertThat(coffee.statusCode()).isEqualTo(422);
                assertThat(coffee.body()).contains("idempotency_key_reused_with_different_payload");
            }
            try (RunningApplication restarted = RunningApplication.plain(shop, store)) {
                assertThat(restarted
                                .post("/orders", "basket-1", "{\"item\":\"tea\"}")
                                .body())
                        .isEqualTo(first);
            }
        }
    }

    @Test
    void has_code_that_compiles() throws IOException {
        List<String> types = new ArrayList<>(blocks("java"));
        types.addAll(OWN_TYPES);

        assertThat(compiled(types)).isDirectory();
        assertThat(blocks("java")).hasSize(5);
    }

    @Test
    void has_properties_that_are_accepted() throws IOException {
        for (String yaml : blocks("yaml")) {
            List<PropertySource<?>> sources = new YamlPropertySourceLoader()
                    .load("quickstart", new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)));
            new WebApplicationContextRunner()
                    .withConfiguration(
                            AutoConfigurations.of(SemelAutoConfiguration.class, SemelServletAutoConfiguration.class))
                    .withInitializer(context -> sources.forEach(source ->
                            context.getEnvironment().getPropertySources().addFirst(source)))
                    .withBean(Store.class, MemoryStore::new)
                    .withBean(TransactionRunner.class, () -> work -> {})
                    .run(context -> {
                        assertThat(context).hasNotFailed();
                        assertThat(context.getBean(Operations.class).names())
                                .containsExactlyInAnyOrder("create-payment", "place-order", "import-file");
                    });
        }
        assertThat(blocks("yaml")).hasSize(1);
    }

    @Test
    void names_this_module() throws IOException {
        String pom = Files.readString(Path.of("pom.xml"));
        Matcher version = Pattern.compile("<version>(.*)</version>").matcher(pom);
        Matcher artifact =
                Pattern.compile("</parent>\\s*<artifactId>(.*)</artifactId>").matcher(pom);

        assertThat(version.find() && artifact.find()).isTrue();
        assertThat(blocks("xml"))
                .hasSize(2)
                .filteredOn(block -> block.contains("<artifactId>" + artifact.group(1) + "</artifactId>"))
                .singleElement(STRING)
                .contains("<groupId>dev.semel</groupId>", version.group());
    }
}
