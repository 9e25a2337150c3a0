package dev.semel.spring;

import dev.semel.admin.Finding;
import dev.semel.jdbc.StoreUri;
import dev.semel.jdbc.doctor.DatabaseDoctor;
import dev.semel.jdbc.doctor.DatabaseFinding;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.ClassUtils;

/** Checks the settings of the store that {@link StoreChoice} has opened, when a person asks. */
public final class StoreDoctor {

    /** The bean of the store, unless the application defines one. */
    static final String STORE = "semelStore";

    private static final String REDIS_CLASS = "dev.semel.redis.doctor.RedisDoctor";

    private final SemelProperties properties;
    private final DataSources dataSources;
    private final ListableBeanFactory beans;

    StoreDoctor(SemelProperties properties, DataSources dataSources, ListableBeanFactory beans) {
        this.properties = properties;
        this.dataSources = dataSources;
        this.beans = beans;
    }

    /**
     * What it finds.
     *
     * @throws dev.semel.StoreException when the store cannot be queried
     */
    public List<Finding> findings() {
        if (!beans.containsBean(STORE)) {
            return List.of(Finding.note("the application defines its own store, whose settings are not checked here:"
                    + " `semel doctor --store URI` checks a store"));
        }
        List<Finding> findings = new ArrayList<>(ofStore(properties.store()));
        String tier = properties.tier();
        if (tier != null) {
            findings.addAll(RedisTier.findings(tier));
        }
        return findings;
    }

    private List<Finding> ofStore(String choice) {
        return switch (choice.toLowerCase(Locale.ROOT)) {
            case "auto", "jdbc" -> {
                DataSource own = dataSources.chosen();
                yield own == null
                        ? of(DatabaseDoctor.examineSettings(StoreUri.parse("sqlite:" + StoreChoice.DEFAULT_FILE)))
                        : of(DatabaseDoctor.examineSettings(own));
            }
            case "memory" -> of(DatabaseDoctor.examineSettings(new StoreUri.Memory()));
            default ->
                isRedis(choice)
                        ? RedisTier.findings(choice)
                        : of(DatabaseDoctor.examineSettings(StoreUri.parse(choice)));
        };
    }

    private static boolean isRedis(String uri) {
        return ClassUtils.isPresent(REDIS_CLASS, StoreDoctor.class.getClassLoader()) && RedisTier.isRedis(uri);
    }

    private static List<Finding> of(List<DatabaseFinding> found) {
        return found.stream().map(StoreDoctor::of).toList();
    }

    private static Finding of(DatabaseFinding found) {
        return switch (found.weight()) {
            case FINE -> Finding.ok(found.what());
            case NOTE -> Finding.note(found.what());
            case UNSAFE -> Finding.unsafe(found.what());
        };
    }
}
