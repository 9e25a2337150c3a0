package dev.semel.http.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.Part;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Collection;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request whose body is in memory: it can be read by the handler in every way that a body can be read in. */
class BufferedRequest extends HttpServletRequestWrapper {

    private final RequestBody body;
    private final HttpServletResponse response;
    private final FormData form;
    private @Nullable ServletInputStream input;
    private @Nullable BufferedReader reader;

    BufferedRequest(HttpServletRequest request, RequestBody body, HttpServletResponse response) {
        super(request);
        this.body = body;
        this.response = response;
        this.form = new FormData(request, body);
    }

    /** Runs a listener of the body when the container's thread is free for it. */
    void executeLater(Runnable task) {
        getAsyncContext().start(task);
    }

    @Override
    public ServletInputStream getInputStream() {
        if (reader != null) {
            throw new IllegalStateException("getReader() was called before");
        }
        if (input == null) {
            input = new BodyInputStream(body.content().bytes(), this::executeLater);
        }
        return input;
    }

    @Override
    public BufferedReader getReader() throws IOException {
        if (input != null) {
            throw new IllegalStateException("getInputStream() was called before");
        }
        if (reader == null) {
            String charset = getCharacterEncoding();
            reader = new BufferedReader(new InputStreamReader(
                    new ByteArrayInputStream(body.content().bytes()), charset == null ? "ISO-8859-1" : charset));
        }
        return reader;
    }

    @Override
    public @Nullable String getParameter(String name) {
        String[] values = getParameterValues(name);
        return values == null ? null : values[0];
    }

    @Override
    public String @Nullable [] getParameterValues(String name) {
        String[] values = form.parameters().get(name);
        return values == null ? null : values.clone();
    }

    @Override
    public Enumeration<String> getParameterNames() {
        return Collections.enumeration(form.parameters().keySet());
    }

    @Override
    public Map<String, String[]> getParameterMap() {
        return Collections.unmodifiableMap(form.parameters());
    }

    @Override
    public Collection<Part> getParts() throws ServletException {
        return List.copyOf(form.parts());
    }

    @Override
    public @Nullable Part getPart(String name) throws ServletException {
        return form.parts().stream()
                .filter(part -> part.getName().equals(name))
                .findFirst()
                .orElse(null);
    }

    @Override
    public AsyncContext startAsync() {
        return startAsync(this, response);
    }

    @Override
    public AsyncContext startAsync(ServletRequest request, ServletResponse asyncResponse) {
        return super.startAsync(request, asyncResponse);
    }
}
