package dev.semel.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("What is behind a captured response")
class InnermostResponseTest {

    private static Stream<Method> passedOn() {
        return Arrays.stream(InnermostResponse.class.getDeclaredMethods()).filter(method -> !method.isSynthetic());
    }

    /** A wrapper passes on what it has no method for to what is behind it, which passes it on to the wrapper. */
    @ParameterizedTest
    @MethodSource("passedOn")
    void passes_nothing_on_that_would_come_back(Method method) throws NoSuchMethodException {
        assertThat(CapturedResponse.class
                        .getMethod(method.getName(), method.getParameterTypes())
                        .getDeclaringClass())
                .isEqualTo(CapturedResponse.class);
    }
}
