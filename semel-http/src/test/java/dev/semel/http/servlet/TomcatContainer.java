package dev.semel.http.servlet;

import jakarta.servlet.ServletContainerInitializer;
import java.util.Set;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Tomcat;

/** Tomcat 11 or 10.1, whichever this run has on its class path. */
final class TomcatContainer implements Container {

    private final Tomcat tomcat = new Tomcat();

    TomcatContainer(String contextPath, ServletContainerInitializer application) {
        tomcat.setBaseDir("target/tomcat");
        tomcat.setSilent(true);
        Connector connector = new Connector();
        connector.setProperty("address", "127.0.0.1");
        connector.setPort(0);
        connector.setAllowTrace(true);
        tomcat.setConnector(connector);
        StandardContext context = (StandardContext) tomcat.addContext(contextPath.equals("/") ? "" : contextPath, null);
        // Handlers of some tests never end, and their classes are not unloaded.
        context.setUnloadDelay(20);
        context.setClearReferencesRmiTargets(false);
        context.setClearReferencesThreadLocals(false);
        context.addServletContainerInitializer(application, Set.of());
        try {
            tomcat.start();
        } catch (LifecycleException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public int port() {
        return tomcat.getConnector().getLocalPort();
    }

    @Override
    public void close() {
        try {
            tomcat.stop();
            tomcat.destroy();
        } catch (LifecycleException e) {
            throw new IllegalStateException(e);
        }
    }
}
