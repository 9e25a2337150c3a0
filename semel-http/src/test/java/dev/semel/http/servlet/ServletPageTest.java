package dev.semel.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Operation;
import dev.semel.Retention;
import dev.semel.engine.SemelEngine;
import dev.semel.http.Gate;
import dev.semel.http.RoutePolicy;
import dev.semel.http.Routes;
import dev.semel.http.key.ScopeStrategy;
import dev.semel.memory.MemoryStore;
import dev.semel.testsupport.http.Wire;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The page about the filter")
class ServletPageTest {

    private static final Pattern SNIPPET = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    private static void protect(SemelEngine semel, ServletContext context) {
        Routes routes = Routes.builder()
                .unprotected("POST", "/payments/search")
                .protect(
                        "POST",
                        "/payments",
                        RoutePolicy.of(Operation.named("create-payment").retention(Retention.PAYMENT))
                                .build())
                .protect(
                        "PUT, PATCH, DELETE",
                        "/payments/**",
                        RoutePolicy.of(Operation.named("change-payment")).build())
                .build();
        Gate gate = Gate.on(semel, routes, ScopeStrategy.fromPrincipal()).build();
        FilterRegistration.Dynamic filter = context.addFilter("semel", new SemelFilter(gate));
        filter.setAsyncSupported(true);
        filter.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC), true, "/*");
    }

    /** Answers with how many requests it has got. */
    private static final class Payments extends HttpServlet {

        private final AtomicInteger requests = new AtomicInteger();

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().print(requests.incrementAndGet());
        }
    }

    @Test
    void has_code_that_is_compiled_here() throws IOException {
        String source = Files.readString(Path.of("src/test/java/dev/semel/http/servlet/ServletPageTest.java"));
        Matcher snippet = SNIPPET.matcher(Files.readString(Path.of("../docs/how-to/http-filter.md")));
        assertThat(snippet.find()).isTrue();
        assertThat(bare(source)).contains(bare(snippet.group(1)));
    }

    private static String bare(String code) {
        return code.replaceAll("\\s+", "");
    }

    @Test
    void shows_an_application_that_replays() {
        try (SemelEngine semel = SemelEngine.on(new MemoryStore()).build();
                Container container = Container.start("/", (classes, context) -> {
                    Container.filter(context, FilterServer::authenticate, EnumSet.of(DispatcherType.REQUEST));
                    protect(semel, context);
                    Container.servlet(context, new Payments());
                })) {
            Wire.Request pay = new Wire.Request("POST", "/payments").key("k").json("{}");
            Wire.Request search = new Wire.Request("POST", "/payments/search").json("{}");

            assertThat(pay.send(container.port()).text()).isEqualTo("1");
            assertThat(pay.send(container.port()).text()).isEqualTo("1");
            assertThat(pay.send(container.port()).replayed()).isTrue();
            assertThat(search.send(container.port()).text()).isEqualTo("2");
            assertThat(search.send(container.port()).text()).isEqualTo("3");
        }
    }
}
