package dev.semel.admin;

import dev.semel.Operation;
import dev.semel.http.RoutePolicy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The operations of the process that a console runs in, and the routes that lead to them. */
public interface Catalog {

    /** A process that executes nothing, such as a console of its own: it knows no operation. */
    Catalog NONE = new Catalog() {
        @Override
        public List<Operation> operations() {
            return List.of();
        }

        @Override
        public List<Route> routes() {
            return List.of();
        }
    };

    List<Operation> operations();

    List<Route> routes();

    /**
     * A route.
     *
     * @param match methods and path
     * @param policy null when the route is not protected
     */
    record Route(String match, @Nullable RoutePolicy policy) {}
}
