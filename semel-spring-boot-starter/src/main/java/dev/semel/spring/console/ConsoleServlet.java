package dev.semel.spring.console;

import dev.semel.admin.AdminApi;
import dev.semel.admin.access.AdminRequest;
import dev.semel.admin.access.AdminResponse;
import dev.semel.http.Body;
import dev.semel.http.Headers;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;

/** Hands requests over to an {@link AdminApi}. */
final class ConsoleServlet extends HttpServlet {

    /** Where the console is, below the context path of the application. */
    static final String MOUNT = "/semel";

    private static final long serialVersionUID = 1;

    private final transient AdminApi api;
    private final transient ConsoleCallers callers;
    private final transient EventStreams streams = new EventStreams();

    ConsoleServlet(AdminApi api, ConsoleCallers callers) {
        this.api = api;
        this.callers = callers;
    }

    @Override
    public void destroy() {
        streams.close();
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        AdminResponse answer = api.handle(requestOf(request));
        response.setStatus(answer.status());
        for (Headers.Line line : answer.headers()) {
            boolean redirect = line.name().equals("Location");
            response.addHeader(line.name(), redirect ? request.getContextPath() + line.value() : line.value());
        }
        if (request.getMethod().equals("HEAD")) {
            return;
        }
        Supplier<String> events = answer.events();
        if (events == null) {
            response.setContentLength(answer.body().bytes().length);
            response.getOutputStream().write(answer.body().bytes());
        } else {
            streams.start(request, response, answer.body().bytes(), events);
        }
    }

    private AdminRequest requestOf(HttpServletRequest request) throws IOException {
        String path = request.getRequestURI().substring(request.getContextPath().length());
        return new AdminRequest(
                request.getMethod(),
                path.substring(Math.min(path.length(), MOUNT.length())),
                "",
                headersOf(request),
                Body.of(request.getInputStream().readNBytes(AdminRequest.MAX_BODY + 1)),
                request.getRemoteAddr(),
                request.isSecure(),
                callers.callerOf(request).orElse(null));
    }

    private static Headers headersOf(HttpServletRequest request) {
        List<Headers.Line> lines = new ArrayList<>();
        for (String name : Collections.list(request.getHeaderNames())) {
            for (String value : Collections.list(request.getHeaders(name))) {
                lines.add(new Headers.Line(name, value));
            }
        }
        return new Headers(lines);
    }
}
