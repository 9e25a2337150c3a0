package dev.semel.spring.container;

import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;

/** The error page of Jetty's server as a problem: no HTML, no version, no stack trace. Contexts have their own pages. */
final class JettyProblems implements Request.Handler {

    /** Adds it, unless the application has set an error handler. */
    static void addTo(Server server) {
        if (server.getErrorHandler() == null) {
            server.setErrorHandler(new JettyProblems());
        }
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, ContainerProblem.MEDIA_TYPE);
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
        Content.Sink.write(response, true, ContainerProblem.json(response.getStatus()), callback);
        return true;
    }
}
