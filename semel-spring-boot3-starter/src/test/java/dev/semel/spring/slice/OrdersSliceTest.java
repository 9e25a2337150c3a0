package dev.semel.spring.slice;

import dev.semel.spring.slice.ShopApplication.Orders;
import dev.semel.spring.test.AutoConfigureSemelTest;
import org.junit.jupiter.api.DisplayName;
import org.springframework.boot.autoconfigure.security.servlet.SecurityAutoConfiguration;
import org.springframework.boot.autoconfigure.security.servlet.SecurityFilterAutoConfiguration;
import org.springframework.boot.autoconfigure.security.servlet.UserDetailsServiceAutoConfiguration;
import org.springframework.boot.test.autoconfigure.web.servlet.WebMvcTest;
import org.springframework.test.context.TestPropertySource;

@DisplayName("The test of a controller")
@WebMvcTest(
        controllers = Orders.class,
        excludeAutoConfiguration = {
            SecurityAutoConfiguration.class,
            SecurityFilterAutoConfiguration.class,
            UserDetailsServiceAutoConfiguration.class,
        })
@AutoConfigureSemelTest
@TestPropertySource(properties = "semel.unmatched=required")
class OrdersSliceTest extends ReplayedOrders {}
