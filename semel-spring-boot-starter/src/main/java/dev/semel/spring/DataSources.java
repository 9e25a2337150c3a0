package dev.semel.spring;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.ClassUtils;

/**
 * The application's DataSource beans, and which of them holds the records.
 *
 * <ol>
 *   <li>The one that {@code semel.data-source} names.
 *   <li>Otherwise the only one, or the primary one.
 *   <li>None, where the application has none. Several without a choice are refused: a file beside each instance instead
 *       of the database that they share would let two instances execute the same key.
 * </ol>
 */
final class DataSources {

    static final String PROPERTY = "semel.data-source";

    private static final System.Logger LOG = System.getLogger("dev.semel.spring");
    private static final String REACTIVE = "io.r2dbc.spi.ConnectionFactory";
    private static final String ROUTING = "org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource";
    private static final String SCOPED_TARGET = "scopedTarget.";
    private static final String URI = "set semel.store to a store's URI, such as"
            + " postgresql://user:password@host/database (sqlite:PATH serves one instance on a disk that stays)";

    private final ListableBeanFactory beans;
    private final ObjectProvider<DataSource> injectable;
    private final @Nullable String wanted;

    /**
     * @param injectable the DataSource that Spring injects by type
     * @param wanted the value of {@value #PROPERTY}, or null
     */
    DataSources(ListableBeanFactory beans, ObjectProvider<DataSource> injectable, @Nullable String wanted) {
        this.beans = beans;
        this.injectable = injectable;
        this.wanted = wanted;
    }

    /** Whether a property names the DataSource. */
    boolean isNamed() {
        return wanted != null;
    }

    /** @throws StoreChoiceException when {@value #PROPERTY} is set, but a store that uses no DataSource is as well */
    void checkAgainst(String store) {
        String choice = store.toLowerCase(Locale.ROOT);
        if (wanted != null && !choice.equals("auto") && !choice.equals("jdbc")) {
            throw new StoreChoiceException(
                    "semel.data-source names a DataSource bean for the records, but semel.store names another store",
                    "Leave out one of the two properties.");
        }
    }

    /**
     * The DataSource that holds the records; null where the application has no database.
     *
     * @throws StoreChoiceException when it has some and none is chosen
     */
    @Nullable
    DataSource chosen() {
        if (wanted != null) {
            return named(wanted);
        }
        DataSource only = injectable.getIfUnique();
        if (only != null) {
            return only;
        }
        requireNone(names(DataSource.class));
        reactive().ifPresent(DataSources::requireNoneReactive);
        return null;
    }

    /** The same for the store, with a warning where it may lead to several databases and no property names it. */
    @Nullable
    DataSource forStore() {
        DataSource dataSource = chosen();
        if (dataSource != null && wanted == null && isRouting(dataSource)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "records are kept in the database that the application''s routing DataSource chooses for each"
                            + " request, but all of them must be in one database: a key is executed again in each database"
                            + " that it is routed to. Set {0} to a DataSource of one database",
                    PROPERTY);
        }
        return dataSource;
    }

    private DataSource named(String name) {
        if (beans.containsBean(name) && beans.isTypeMatch(name, DataSource.class)) {
            return beans.getBean(name, DataSource.class);
        }
        List<String> names = names(DataSource.class);
        throw new StoreChoiceException(
                "the property " + PROPERTY + " is \"" + name + "\", and no DataSource bean has this name; "
                        + (names.isEmpty() ? "there is none at all" : "there are: " + String.join(", ", names)),
                names.isEmpty()
                        ? "Define the DataSource, or leave the property out."
                        : "Set " + PROPERTY + " to one of these names.");
    }

    private static void requireNone(List<String> names) {
        if (!names.isEmpty()) {
            throw new StoreChoiceException(
                    "the application has "
                            + (names.size() == 1
                                    ? "a DataSource bean that is no default candidate"
                                    : "DataSource beans")
                            + " (" + String.join(", ", names) + "), and no property says "
                            + (names.size() == 1 ? "whether it holds" : "which of them holds")
                            + " the idempotency records. They are not kept in a file instead: each instance would have"
                            + " its own, and two instances would execute the same key",
                    "Set " + PROPERTY + " to the bean that holds the records, as in " + PROPERTY + "=" + names.get(0)
                            + ", make one of them @Primary, or " + URI + ".");
        }
    }

    private Optional<List<String>> reactive() {
        ClassLoader loader = DataSources.class.getClassLoader();
        return ClassUtils.isPresent(REACTIVE, loader)
                ? Optional.of(names(ClassUtils.resolveClassName(REACTIVE, loader)))
                : Optional.empty();
    }

    private static void requireNoneReactive(List<String> factories) {
        if (!factories.isEmpty()) {
            throw new StoreChoiceException(
                    "the application reaches its database through R2DBC (" + String.join(", ", factories)
                            + "), in which idempotency records cannot be kept, and it has no DataSource. They are not"
                            + " kept in a file instead: each instance would have its own, and two instances would"
                            + " execute the same key",
                    "To keep the records in the same database through connections of their own, " + URI + ".");
        }
    }

    /** The beans of this type in the application's context and its parents. */
    private List<String> names(Class<?> type) {
        return Arrays.stream(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type))
                .filter(name -> !name.startsWith(SCOPED_TARGET))
                .sorted()
                .toList();
    }

    private static boolean isRouting(DataSource dataSource) {
        ClassLoader loader = DataSources.class.getClassLoader();
        try {
            return ClassUtils.isPresent(ROUTING, loader)
                    && dataSource.isWrapperFor(ClassUtils.resolveClassName(ROUTING, loader));
        } catch (SQLException e) {
            return false;
        }
    }
}
