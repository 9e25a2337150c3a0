package dev.semel.spring.slice;

import org.junit.jupiter.api.DisplayName;
import org.springframework.boot.test.autoconfigure.web.servlet.AutoConfigureMockMvc;
import org.springframework.boot.test.context.SpringBootTest;

@DisplayName("The test of an application")
@SpringBootTest(
        properties = {
            "semel.store=memory:",
            "semel.unmatched=required",
            "spring.autoconfigure.exclude=" + OrdersApplicationTest.WITHOUT,
        })
@AutoConfigureMockMvc
class OrdersApplicationTest extends ReplayedOrders {

    /** Spring Security, whose users this test does not need. */
    static final String WITHOUT = "org.springframework.boot.autoconfigure.security.servlet.SecurityAutoConfiguration,"
            + "org.springframework.boot.autoconfigure.security.servlet.SecurityFilterAutoConfiguration,"
            + "org.springframework.boot.autoconfigure.security.servlet.UserDetailsServiceAutoConfiguration,"
            + "org.springframework.boot.actuate.autoconfigure.security.servlet.ManagementWebSecurityAutoConfiguration";
}
