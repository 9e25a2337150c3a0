package dev.semel.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("The response behind a captured response")
class InnermostResponseTest {

    private static Stream<Method> passedOn() {
        return Arrays.stream(InnermostResponse.class.getDeclaredMethods()).filter(method -> !method.isSynthetic());
    }

    /** The wrapper delegates methods that it does not override to this response; delegating them back would not end. */
    @ParameterizedTest
    @MethodSource("passedOn")
    void does_not_delegate_to_the_response_that_wraps_it(Method method) throws NoSuchMethodException {
        assertThat(CapturedResponse.class
                        .getMethod(method.getName(), method.getParameterTypes())
                        .getDeclaringClass())
                .isEqualTo(CapturedResponse.class);
    }
}
