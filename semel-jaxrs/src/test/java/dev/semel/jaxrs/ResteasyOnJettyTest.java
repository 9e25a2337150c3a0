package dev.semel.jaxrs;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@DisplayName("RESTEasy on Jetty")
class ResteasyOnJettyTest implements ReplayContract, ResponseContract, FailureContract, AsyncContract {

    @Override
    public TestServer.Starter starter() {
        return Servers::resteasyOnJetty;
    }
}
