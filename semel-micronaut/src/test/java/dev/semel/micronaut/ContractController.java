package dev.semel.micronaut;

import dev.semel.http.contract.Call;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.CustomHttpMethod;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Filter;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Options;
import io.micronaut.http.annotation.Patch;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Put;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.http.annotation.Trace;
import io.micronaut.http.body.MessageBodyHandlerRegistry;
import io.micronaut.scheduling.TaskExecutors;
import jakarta.inject.Named;
import java.security.Principal;
import java.util.concurrent.ExecutorService;

/** A controller for every path and method, with the handler of a contract behind it. */
@Controller
@Consumes("*/*")
@Requires(property = "application", value = "contract")
class ContractController {

    /** Where Micronaut finds the user of a request. */
    static final String PRINCIPAL = "micronaut.AUTHENTICATION";

    /** What the test has the controller do. */
    record Handler(Call.Handler calls) {}

    /** The gate of the test. */
    record Gate(dev.semel.http.Gate gate) {}

    @Requires(property = "application", value = "contract")
    @Filter(Filter.MATCH_ALL_PATTERN)
    static class Idempotency extends SemelServerFilter {

        Idempotency(
                Gate gate, MessageBodyHandlerRegistry bodies, @Named(TaskExecutors.BLOCKING) ExecutorService blocking) {
            super(gate.gate(), bodies, blocking);
        }
    }

    /** Stands in for authentication: trusts the user that the header names. As Micronaut Security does, it has an order. */
    @Requires(property = "application", value = "contract")
    @ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
    public static class Authentication implements Ordered {

        @Override
        public int getOrder() {
            return -100;
        }

        @RequestFilter
        public void authenticate(HttpRequest<?> request) {
            String user = request.getHeaders().get("X-User");
            String name = user == null ? "alice" : user;
            if (!name.equals("anonymous")) {
                request.setAttribute(PRINCIPAL, (Principal) () -> name);
            }
        }
    }

    private final Handler handler;

    ContractController(Handler handler) {
        this.handler = handler;
    }

    private HttpResponse<?> handle(HttpRequest<?> request, byte[] body) throws Exception {
        MicronautCall call = new MicronautCall(request, body);
        handler.calls().handle(call);
        return call.response();
    }

    @Post("{/path:.*}")
    HttpResponse<?> post(HttpRequest<byte[]> request) throws Exception {
        return handle(request, request.getBody().orElse(new byte[0]));
    }

    @Put("{/path:.*}")
    HttpResponse<?> put(HttpRequest<byte[]> request) throws Exception {
        return handle(request, request.getBody().orElse(new byte[0]));
    }

    @Patch("{/path:.*}")
    HttpResponse<?> patch(HttpRequest<byte[]> request) throws Exception {
        return handle(request, request.getBody().orElse(new byte[0]));
    }

    @Delete("{/path:.*}")
    HttpResponse<?> delete(HttpRequest<byte[]> request) throws Exception {
        return handle(request, request.getBody().orElse(new byte[0]));
    }

    @Get("{/path:.*}")
    HttpResponse<?> get(HttpRequest<?> request) throws Exception {
        return handle(request, new byte[0]);
    }

    @Options("{/path:.*}")
    HttpResponse<?> options(HttpRequest<?> request) throws Exception {
        return handle(request, new byte[0]);
    }

    @Trace("{/path:.*}")
    HttpResponse<?> trace(HttpRequest<?> request) throws Exception {
        return handle(request, new byte[0]);
    }

    @CustomHttpMethod(method = "QUERY", value = "{/path:.*}")
    HttpResponse<?> query(HttpRequest<?> request) throws Exception {
        return handle(request, new byte[0]);
    }
}
