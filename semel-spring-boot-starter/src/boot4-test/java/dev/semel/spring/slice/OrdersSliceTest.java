package dev.semel.spring.slice;

import dev.semel.spring.slice.ShopApplication.Orders;
import dev.semel.spring.test.AutoConfigureSemelTest;
import org.junit.jupiter.api.DisplayName;
import org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.test.context.TestPropertySource;

@DisplayName("The test of a controller")
@WebMvcTest(
        controllers = Orders.class,
        excludeAutoConfiguration = {
            UserDetailsServiceAutoConfiguration.class,
            SecurityFilterAutoConfiguration.class,
            ServletWebSecurityAutoConfiguration.class,
        })
@AutoConfigureSemelTest
@TestPropertySource(properties = "semel.unmatched=required")
class OrdersSliceTest extends ReplayedOrders {}
