package dev.semel.spring.slice;

import org.junit.jupiter.api.DisplayName;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;

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
    static final String WITHOUT = "org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration,"
            + "org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration,"
            + "org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration,"
            + "org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration";
}
