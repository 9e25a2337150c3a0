package dev.semel.spring.container;

import java.io.IOException;
import java.io.Writer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.catalina.Context;
import org.apache.catalina.Pipeline;
import org.apache.catalina.Valve;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.core.StandardHost;
import org.apache.catalina.valves.ErrorReportValve;
import org.apache.coyote.ActionCode;
import org.jspecify.annotations.Nullable;

/** The error report of Tomcat as a problem: no HTML, no version, no stack trace. Error pages take precedence. */
final class TomcatProblems extends ErrorReportValve {

    /** Adds it, unless the application has an error report of its own. */
    static void addTo(Context context) {
        if (context.getParent() instanceof StandardHost host && !hasOwnReport(host)) {
            host.getPipeline().addValve(new TomcatProblems());
        }
    }

    private static boolean hasOwnReport(StandardHost host) {
        if (!ErrorReportValve.class.getName().equals(host.getErrorReportValveClass())) {
            return true;
        }
        Pipeline pipeline = host.getPipeline();
        for (Valve valve : pipeline.getValves()) {
            if (valve instanceof ErrorReportValve report && !isOfSpringBoot(report)) {
                return true;
            }
        }
        return false;
    }

    /** Spring Boot adds Tomcat's own valve, without any details. */
    private static boolean isOfSpringBoot(ErrorReportValve report) {
        return report.getClass() == ErrorReportValve.class && !report.isShowReport() && !report.isShowServerInfo();
    }

    @Override
    protected void report(Request request, Response response, @Nullable Throwable failure) {
        int status = response.getStatus();
        if (status < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
            return;
        }
        AtomicBoolean writable = new AtomicBoolean();
        response.getCoyoteResponse().action(ActionCode.IS_IO_ALLOWED, writable);
        if (!writable.get()) {
            return;
        }
        try {
            response.setContentType(ContainerProblem.MEDIA_TYPE);
            response.setCharacterEncoding("utf-8");
            Writer writer = response.getReporter();
            if (writer != null) {
                writer.write(ContainerProblem.json(status));
                response.finishResponse();
            }
        } catch (IOException | IllegalStateException e) {
            container.getLogger().debug("an error could not be reported", e);
        }
    }
}
