package dev.semel.jdbc.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("OpenClaims: no two open claims of a transaction have the same number")
class OpenClaimsTest {

    /** No method of it is called: it is only compared with others. */
    private static Connection connection() {
        Object identity = new Object();
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "hashCode" -> identity.hashCode();
                    case "equals" -> proxy == arguments[0];
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    @Test
    void numbers_are_given_from_the_lowest_that_is_free() {
        Connection connection = connection();
        OpenClaims.Place first = OpenClaims.on(connection);
        OpenClaims.Place second = OpenClaims.on(connection);
        assertThat(first.number()).isEqualTo(1);
        assertThat(second.number()).isEqualTo(2);
        first.leave();
        assertThat(OpenClaims.on(connection).number()).isEqualTo(1);
        assertThat(OpenClaims.on(connection).number()).isEqualTo(3);
        assertThat(second.number()).isEqualTo(2);
    }

    @Test
    void leaving_twice_frees_no_number_of_another_claim() {
        Connection connection = connection();
        OpenClaims.Place first = OpenClaims.on(connection);
        first.leave();
        OpenClaims.Place next = OpenClaims.on(connection);
        first.leave();
        assertThat(next.number()).isEqualTo(1);
        assertThat(OpenClaims.on(connection).number()).isEqualTo(2);
    }

    @Test
    void connections_count_each_for_itself() {
        OpenClaims.Place one = OpenClaims.on(connection());
        OpenClaims.Place another = OpenClaims.on(connection());
        assertThat(one.number()).isEqualTo(another.number()).isEqualTo(1);
    }
}
