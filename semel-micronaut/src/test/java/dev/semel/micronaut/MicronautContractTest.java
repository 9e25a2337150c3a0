package dev.semel.micronaut;

import dev.semel.http.Gate;
import dev.semel.http.contract.AnswersContract;
import dev.semel.http.contract.Call;
import dev.semel.http.contract.ContractServer;
import dev.semel.http.contract.DeliveryContract;
import dev.semel.http.contract.FailuresContract;
import dev.semel.http.contract.HostileContract;
import dev.semel.http.contract.PromiseContract;
import dev.semel.http.contract.ReplayAuthorizationContract;
import dev.semel.http.contract.ReplayContract;
import dev.semel.http.contract.SimultaneousContract;
import dev.semel.http.contract.StatusContract;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;

@DisplayName("Micronaut")
class MicronautContractTest
        implements AnswersContract,
                PromiseContract,
                ReplayContract,
                ReplayAuthorizationContract,
                StatusContract,
                FailuresContract,
                DeliveryContract,
                SimultaneousContract,
                HostileContract {

    @Override
    public ContractServer.Transport transport() {
        return MicronautContractTest::start;
    }

    private static ContractServer.Started start(Gate gate, Call.Handler handler) {
        ApplicationContext context = ApplicationContext.builder()
                .singletons(new ContractController.Gate(gate), new ContractController.Handler(handler))
                .properties(Map.of(
                        "application", "contract", "micronaut.server.host", "127.0.0.1", "micronaut.server.port", -1))
                .start();
        EmbeddedServer server = context.getBean(EmbeddedServer.class).start();
        return new ContractServer.Started(server.getPort(), context);
    }
}
