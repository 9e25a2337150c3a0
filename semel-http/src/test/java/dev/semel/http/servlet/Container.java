package dev.semel.http.servlet;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import java.util.EnumSet;

/**
 * A real servlet container with one application. The build runs the tests of this package on each; the system property
 * {@code servlet.container} says which.
 */
interface Container extends AutoCloseable {

    /** Starts the container that this run of the tests is for, on a free port of loopback. */
    static Container start(String contextPath, ServletContainerInitializer application) {
        String name = System.getProperty("servlet.container", "jetty");
        return switch (name) {
            case "jetty" -> new JettyContainer(contextPath, application);
            case "tomcat" -> new TomcatContainer(contextPath, application);
            default -> throw new IllegalArgumentException("servlet.container is " + name + ": use jetty or tomcat");
        };
    }

    /** Maps a filter for all paths, behind those that are mapped already. */
    static void filter(ServletContext context, Filter filter, EnumSet<DispatcherType> dispatches) {
        String name = "filter-" + context.getFilterRegistrations().size();
        FilterRegistration.Dynamic registration = context.addFilter(name, filter);
        registration.setAsyncSupported(true);
        registration.addMappingForUrlPatterns(dispatches, true, "/*");
    }

    /** Maps a servlet for all paths. */
    static void servlet(ServletContext context, Servlet servlet) {
        ServletRegistration.Dynamic registration = context.addServlet("handler", servlet);
        registration.setAsyncSupported(true);
        registration.addMapping("/*");
    }

    int port();

    @Override
    void close();
}
