package dev.semel.spring;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A filter that is created with the first request: containers need filters before there are controllers, whose annotations
 * say which requests are protected.
 */
final class LateFilter implements Filter {

    private final Supplier<Filter> making;
    private volatile @Nullable Filter made;

    LateFilter(Supplier<Filter> making) {
        this.making = making;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        Filter filter = made;
        if (filter == null) {
            filter = making.get();
            made = filter;
        }
        filter.doFilter(request, response, chain);
    }

    @Override
    public void destroy() {
        Filter filter = made;
        if (filter != null) {
            filter.destroy();
        }
    }
}
