package dev.semel.micronaut;

import dev.semel.Attempt;
import dev.semel.http.contract.Call;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MutableHttpResponse;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.security.Principal;
import java.util.Optional;

/** A request of Micronaut in the hands of a contract's handler. */
final class MicronautCall implements Call {

    private final HttpRequest<?> request;
    private final byte[] body;
    private final MutableHttpResponse<?> response = HttpResponse.ok();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    MicronautCall(HttpRequest<?> request, byte[] body) {
        this.request = request;
        this.body = body;
    }

    HttpResponse<?> response() {
        return out.size() == 0 ? response : response.body(out.toByteArray());
    }

    @Override
    public String path() {
        return request.getPath();
    }

    @Override
    public String user() {
        return request.getUserPrincipal().map(Principal::getName).orElseThrow();
    }

    @Override
    public Optional<Attempt> attempt() {
        return SemelServerFilter.attempt(request);
    }

    @Override
    public byte[] body() {
        return body;
    }

    @Override
    public void parse() {
        request.getParameters().asMap();
    }

    @Override
    public void status(int status) {
        response.status(status, null);
    }

    @Override
    public void header(String name, String value) {
        response.getHeaders().add(name, value);
    }

    @Override
    public OutputStream out() {
        return out;
    }
}
