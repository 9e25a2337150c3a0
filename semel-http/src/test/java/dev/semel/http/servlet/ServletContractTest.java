package dev.semel.http.servlet;

import dev.semel.Attempt;
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
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The servlet filter")
class ServletContractTest
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
        return ServletContractTest::start;
    }

    private static ContractServer.Started start(Gate gate, Call.Handler handler) {
        FilterServer server = new FilterServer(gate, new HandlerServlet(handler));
        server.start();
        return new ContractServer.Started(server.port(), server::stop);
    }

    private static final class HandlerServlet extends HttpServlet {

        private final transient Call.Handler handler;

        HandlerServlet(Call.Handler handler) {
            this.handler = handler;
        }

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            try {
                handler.handle(new ServletCall(request, response));
            } catch (IOException | ServletException | RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new ServletException(e);
            }
        }
    }

    private record ServletCall(HttpServletRequest request, HttpServletResponse response) implements Call {

        @Override
        public String path() {
            return request.getRequestURI();
        }

        @Override
        public String user() {
            return request.getUserPrincipal().getName();
        }

        @Override
        public Optional<Attempt> attempt() {
            return SemelFilter.attempt(request);
        }

        @Override
        public byte[] body() throws IOException {
            return request.getInputStream().readAllBytes();
        }

        @Override
        public void parse() {
            request.getParameterMap();
        }

        @Override
        public void status(int status) {
            response.setStatus(status);
        }

        @Override
        public void header(String name, String value) {
            response.addHeader(name, value);
        }

        @Override
        public OutputStream out() throws IOException {
            return response.getOutputStream();
        }
    }
}
