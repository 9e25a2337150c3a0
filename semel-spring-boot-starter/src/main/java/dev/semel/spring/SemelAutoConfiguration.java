package dev.semel.spring;

import dev.semel.Scope;
import dev.semel.engine.EncryptionKeys;
import dev.semel.engine.NearCache;
import dev.semel.engine.SemelEngine;
import dev.semel.engine.SemelListener;
import dev.semel.engine.Store;
import dev.semel.engine.Tracer;
import dev.semel.fingerprint.Fingerprinter;
import dev.semel.http.key.ScopeResult;
import dev.semel.http.key.ScopeStrategy;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;

/** The engine, its store and its daemons. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            // Of Spring Boot 3.
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
        })
@ConditionalOnBooleanProperty(name = "semel.enabled", matchIfMissing = true)
@EnableConfigurationProperties(SemelProperties.class)
@ImportRuntimeHints(SemelRuntimeHints.class)
public final class SemelAutoConfiguration {

    private static final System.Logger LOG = System.getLogger("dev.semel.spring");

    /** The bean that Spring Security filters requests with, in servlet applications and reactive ones. */
    static final String SECURITY_FILTER = "springSecurityFilterChain";

    /** The bean that replaces what the properties say about fingerprints has another name. */
    static final String FINGERPRINTER = "semelFingerprinter";

    @Bean
    @ConditionalOnMissingBean
    Operations semelOperations(SemelProperties properties, ListableBeanFactory beans) {
        return new Operations(properties, FailureRules.forAll(properties, beans), new NamedParts(beans));
    }

    @Bean
    OperationCheck semelOperationCheck(
            SemelProperties properties,
            Operations operations,
            ObjectProvider<RouteTable> routes,
            ObjectProvider<IdempotentAdvisor> methods,
            ListableBeanFactory beans) {
        return new OperationCheck(properties, operations, routes, methods, beans);
    }

    /** Closed by the engine. An application that defines an engine also defines its store. */
    @Bean(name = StoreDoctor.STORE, destroyMethod = "")
    @ConditionalOnMissingBean({Store.class, SemelEngine.class})
    Store semelStore(SemelProperties properties, DataSources dataSources) {
        dataSources.checkAgainst(properties.store());
        return StoreChoice.open(properties, dataSources::forStore);
    }

    @Bean
    StoreDoctor semelStoreDoctor(SemelProperties properties, DataSources dataSources, ListableBeanFactory beans) {
        return new StoreDoctor(properties, dataSources, beans);
    }

    @Bean
    DataSources semelDataSources(
            ListableBeanFactory beans, ObjectProvider<DataSource> injectable, SemelProperties properties) {
        return new DataSources(beans, injectable, properties.dataSource());
    }

    @Bean
    @ConditionalOnMissingBean
    SemelEngine semel(
            Store store,
            SemelProperties properties,
            ObjectProvider<SemelListener> listeners,
            ObjectProvider<EncryptionKeys> encryption,
            ObjectProvider<NearCache> nearCache,
            ObjectProvider<Tracer> tracer) {
        try {
            return configured(store, properties, listeners, encryption, nearCache, tracer)
                    .build();
        } catch (RuntimeException e) {
            // There is no engine that would close the store.
            store.close();
            throw e;
        }
    }

    private static SemelEngine.Builder configured(
            Store store,
            SemelProperties properties,
            ObjectProvider<SemelListener> listeners,
            ObjectProvider<EncryptionKeys> encryption,
            ObjectProvider<NearCache> nearCache,
            ObjectProvider<Tracer> tracer) {
        SemelEngine.Builder builder = SemelEngine.on(store);
        listeners.orderedStream().forEach(builder::listener);
        Secrets.configure(builder, properties, encryption.getIfAvailable());
        nearCache.ifUnique(builder::nearCache);
        tracer.ifUnique(builder::tracer);
        SemelProperties.Pruning pruning = properties.pruning();
        if (pruning.enabled()) {
            Operations.checked(
                    "semel.pruning.every",
                    pruning.every(),
                    () -> builder.pruneEvery(pruning.every(), pruning.expiry()));
        }
        return builder;
    }

    @Bean(FINGERPRINTER)
    @ConditionalOnMissingBean
    Fingerprinter semelFingerprinter(SemelProperties properties) {
        return Secrets.fingerprinter(properties.fingerprints());
    }

    /**
     * The owner of keys is the authenticated user. With Spring Security, keys of anonymous requests are refused. Without it,
     * requests that no other filter has authenticated share {@link Scope#ANONYMOUS}.
     */
    @Bean
    @ConditionalOnMissingBean
    ScopeStrategy semelScopes(ListableBeanFactory beans) {
        ScopeStrategy principal = ScopeStrategy.fromPrincipal();
        if (beans.containsBean(SECURITY_FILTER)) {
            return principal;
        }
        LOG.log(
                System.Logger.Level.INFO,
                "Spring Security is not used, so requests without a principal share their keys, in the scope "
                        + Scope.ANONYMOUS + "; define a bean of type ScopeStrategy to separate clients");
        ScopeResult anonymous = new ScopeResult.Found(Scope.ANONYMOUS);
        return input -> {
            ScopeResult owner = principal.resolve(input);
            return owner instanceof ScopeResult.Missing ? anonymous : owner;
        };
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnBean(Store.class)
    @ConditionalOnBooleanProperty(name = "semel.reconciler.enabled", matchIfMissing = true)
    ReconcilerDaemon semelReconciler(
            SemelEngine semel, Operations operations, SemelProperties properties, ListableBeanFactory beans) {
        return new ReconcilerDaemon(semel, operations, properties.reconciler(), beans);
    }
}
