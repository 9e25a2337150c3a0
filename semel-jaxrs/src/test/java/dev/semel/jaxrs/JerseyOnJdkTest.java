package dev.semel.jaxrs;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;

/** Without a servlet container. Jersey has no asynchronous methods there. */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@DisplayName("Jersey on the JDK's server")
class JerseyOnJdkTest implements ReplayContract, ResponseContract, FailureContract {

    @Override
    public TestServer.Starter starter() {
        return Servers::jerseyOnTheJdk;
    }
}
