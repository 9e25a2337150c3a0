package dev.semel.http.servlet;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The container of this run")
class ContainerTest {

    @Test
    void is_the_one_that_the_build_names() {
        try (TestServer server = TestServer.protecting((request, response) ->
                response.getWriter().print(request.getServletContext().getServerInfo()))) {
            assertThat(server.pay("k").text()).startsWith(System.getProperty("servlet.container.version", "jetty/12."));
        }
    }

    /** Methods that came with Servlet 6.1 are implemented here, for newer containers to call, but Servlet 6.0 lacks them. */
    @Test
    void has_every_method_of_the_servlet_api_that_the_filter_calls() {
        JavaClasses classes = new ClassFileImporter().importPath(Path.of("target/classes/dev/semel/http/servlet"));
        List<JavaMethodCall> calls = classes.stream()
                .flatMap(each -> each.getMethodCallsFromSelf().stream())
                .filter(call -> resideInAPackage("jakarta.servlet..").test(call.getTargetOwner()))
                .toList();

        assertThat(calls).hasSizeGreaterThan(100);
        assertThat(calls)
                .filteredOn(call -> call.getTarget().resolveMember().isEmpty())
                .extracting(call -> call.getDescription())
                .isEmpty();
    }
}
