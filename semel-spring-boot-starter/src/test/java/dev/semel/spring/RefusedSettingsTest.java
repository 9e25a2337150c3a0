package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Failures;
import dev.semel.Operation;
import dev.semel.engine.EncryptionKeys;
import dev.semel.fingerprint.Fingerprinter;
import dev.semel.reconcile.OutcomeResolver;
import dev.semel.reconcile.Verdict;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** Each refusal names the property, its value and what would be right, before the first request. */
@DisplayName("At start, these values are refused:")
class RefusedSettingsTest {

    private static final String KEY_16 = "AAECAwQFBgcICQoLDA0ODw==";

    @TempDir
    static Path directory;

    private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    SemelAutoConfiguration.class,
                    SemelServletAutoConfiguration.class,
                    SemelNearCacheAutoConfiguration.class,
                    SemelTransactionAutoConfiguration.class))
            .withPropertyValues("semel.store=memory:", "semel.operations.pay.match=POST /pay");

    @Configuration(proxyBeanMethods = false)
    static class Parts {

        @Bean
        @ResolvesOutcomesOf("pay")
        OutcomeResolver resolver() {
            return unknown -> new Verdict.CannotTellYet("asked too early");
        }

        @Bean
        Failures.Rule timeouts() {
            return failure -> Optional.empty();
        }
    }

    private static void refused(WebApplicationContextRunner application, String property, String advice) {
        application.run(context -> assertThat(causeOf(context))
                .isInstanceOfSatisfying(InvalidConfigurationPropertyValueException.class, invalid -> {
                    assertThat(invalid.getName()).isEqualTo(property);
                    assertThat(invalid.getValue()).isNotNull();
                    assertThat(invalid.getReason()).contains(advice);
                }));
    }

    private static Throwable causeOf(AssertableWebApplicationContext context) {
        assertThat(context).hasFailed();
        return NestedExceptionUtils.getMostSpecificCause(context.getStartupFailure());
    }

    private static String[] split(String properties) {
        return Arrays.stream(properties.split(";")).map(String::strip).toArray(String[]::new);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            semel.operations.pay.retention=-1h                   | semel.operations.pay.retention       | it must be between PT0.001S
            semel.operations.pay.lease=-1s                       | semel.operations.pay.lease           | it must be between PT0.1S
            semel.operations.pay.lease=2h                        | semel.operations.pay.lease           | Use at most PT1H
            semel.defaults.lease=2h                              | semel.defaults.lease                 | Use at most PT1H
            semel.operations.pay.max-wait=-1s                    | semel.operations.pay.max-wait        | it must be between PT0S
            semel.operations.pay.max-wait=2h                     | semel.operations.pay.max-wait        | Use at most PT1H
            semel.operations.pay.key-time-window=-1h             | semel.operations.pay.key-time-window | at least 1 ms
            semel.operations.pay.reconcile.first-delay=-1s       | semel.operations.pay.reconcile       | it must be between PT0.001S
            semel.defaults.reconcile.settle-window=-1s           | semel.defaults.reconcile             | it must be between PT0S
            semel.operations.pay.reconcile.max-tries=2           | semel.operations.pay.reconcile       | raise maxTries or longestDelay
            semel.operations.pay.reconcile.first-delay=2h        | semel.operations.pay.reconcile       | is longer than the longest
            semel.reconciler.every=-1s                           | semel.reconciler.every               | it must be positive
            semel.reconciler.answer-within=-1s                   | semel.reconciler.answer-within       | it must be positive
            semel.reconciler.batch=0                             | semel.reconciler.batch               | it must be between 1 and 1000
            semel.pruning.every=-1m                              | semel.pruning.every                  | it must be positive
            semel.near-cache.enabled=true;semel.near-cache.max-age=-1s  | semel.near-cache.max-age      | positive
            semel.near-cache.enabled=true;semel.near-cache.max-bytes=-1 | semel.near-cache.max-bytes    |
            semel.operations.pay.max-request-body=-1B            | semel.operations.pay.max-request-body | it must be between 0
            semel.operations.pay.not-executed-on=200             | semel.operations.pay.not-executed-on | one from 400 to 599 can
            semel.operations.pay.key-rules.min-length=300        | semel.operations.pay.key-rules       | minLength <= maxLength <= 255
            semel.defaults.key-rules.max-length=0                | semel.defaults.key-rules             | minLength <= maxLength <= 255
            semel.operations.pay.key-user-action=                | semel.operations.pay.key-user-action | name what the user does
            """)
    void numbers_and_durations_without_a_meaning(String properties, String property, String advice) {
        refused(
                runner.withUserConfiguration(Parts.class).withPropertyValues(split(properties)),
                property,
                advice == null ? "" : advice);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            key=class:shop.Absent                  | key           | There is no class shop.Absent; write its full name
            key=class:java.lang.String             | key           | The class java.lang.String is no KeyStrategy
            response-rule=always                   | response-rule | Use bean: and the name of a bean of type ResponseRule
            response-rule=bean:absent              | response-rule | There is no bean "absent" of type ResponseRule; define one.
            response-rule=class:java.lang.Runnable | response-rule | The class java.lang.Runnable is no ResponseRule
            response-rule=class:dev.semel.http.ResponseRule | response-rule | cannot be created without arguments
            failure-rule=bean:timeout              | failure-rule  | use one of: timeouts.
            failure-rule=class:shop.Absent         | failure-rule  | There is no class shop.Absent
            """)
    void names_that_nothing_has(String setting, String property, String advice) {
        refused(
                runner.withUserConfiguration(Parts.class).withPropertyValues("semel.operations.pay." + setting),
                "semel.operations.pay." + property,
                advice);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            key=content;strict-keys=true               | strict-keys     | the key is not there. Leave it out.
            key=field:/id;strict-keys=false            | strict-keys     | the key is not there. Leave it out.
            key=content;key-rules.uuid=true            | key-rules       | the key is a digest, which clients do not choose
            key=content;in-progress=accepted           | in-progress     | the key is derived and they have none; use CONFLICT
            key-time-window=1h;in-progress=accepted    | in-progress     | the key is derived and they have none
            key=optional;key-time-window=1h            | key             | Set semel.operations.pay.key to required, content
            key=optional;key-user-action=pay           | key             | requests without a key are refused
            key=content;key-time-window=2d             | key-time-window | Set semel.operations.pay.retention to at least that
            key-rules.uuid=true;key-rules.max-length=20 | key-rules      | a UUID has 36 characters
            transactional=true;store-down=fail-open    | transactional   | use FAIL_CLOSED
            transactional=true;failures=reconcile      | transactional   | nothing to reconcile
            transactional=true;failure-rule=bean:timeouts | transactional | use an operation without one
            """)
    void settings_of_an_operation_that_contradict_each_other(String settings, String property, String advice) {
        DriverManagerDataSource dataSource = new DriverManagerDataSource("jdbc:sqlite:" + directory.resolve("a.db"));
        refused(
                runner.withUserConfiguration(Parts.class)
                        .withBean(DataSource.class, () -> dataSource)
                        .withBean(JdbcTransactionManager.class, () -> new JdbcTransactionManager(dataSource))
                        .withPropertyValues(Arrays.stream(split(settings))
                                .map(setting -> "semel.operations.pay." + setting)
                                .toArray(String[]::new)),
                "semel.operations.pay." + property,
                advice);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            semel.operations.http.key=required                | semel.operations.http.key             | set semel.unmatched
            semel.operations.http.key=content                 | semel.operations.http.key             | name an operation for these requests
            semel.operations.http.key-time-window=1h          | semel.operations.http.key-time-window | set semel.unmatched
            semel.tier-timeout=10ms                           | semel.tier-timeout                    | Set semel.tier, or leave this out
            semel.tier-max-age=1d                             | semel.tier-max-age                    | Set semel.tier, or leave this out
            semel.jdbc.schema-mode=validate                   | semel.jdbc.schema-mode                | ?schemaMode=validate
            semel.jdbc.accept-unsafe-durability=true          | semel.jdbc.accept-unsafe-durability   | Leave it out
            semel.jdbc.lanes=4                                | semel.jdbc.lanes                      | names another store
            semel.jdbc.busy-timeout=1s                        | semel.jdbc.busy-timeout               | names another store
            semel.store=jdbc;semel.jdbc.lanes=4               | semel.jdbc.lanes                      | it is for PostgreSQL, MySQL and MariaDB
            semel.store=jdbc;semel.jdbc.accept-unsafe-durability=true | semel.jdbc.accept-unsafe-durability | it is for PostgreSQL
            semel.store=jdbc;semel.jdbc.busy-timeout=-1s      | semel.jdbc.busy-timeout               | it must be above zero
            """)
    void settings_of_the_application_that_contradict_each_other(String properties, String property, String advice) {
        refused(
                runner.withBean(
                                DataSource.class,
                                () -> new DriverManagerDataSource("jdbc:sqlite:" + directory.resolve("b.db")))
                        .withPropertyValues(split(properties)),
                property,
                advice);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            key=required             | key
            key-rules.uuid=true      | key-rules
            store-down=fail-open     | store-down
            not-executed-on=410      | not-executed-on
            transactional=true       | transactional
            semantic-fields=/amount  | semantic-fields
            """)
    void settings_of_requests_for_an_operation_without_requests(String setting, String property) {
        WebApplicationContextRunner calls =
                runner.withUserConfiguration(Asks.class).withPropertyValues("semel.operations.ship.retention=order");
        calls.run(context -> assertThat(context).hasNotFailed());
        refused(
                calls.withPropertyValues("semel.operations.ship." + setting),
                "semel.operations.ship." + property,
                property.equals("transactional")
                        ? "put @Transactional on the method"
                        : "set semel.operations.ship.match");
        calls.withPropertyValues("semel.operations.ship." + setting, "semel.operations.ship.may-be-unused=true")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Configuration(proxyBeanMethods = false)
    static class Asks {

        @Bean
        Runnable ships(Operations operations) {
            Operation ship = operations.named("ship");
            return ship::name;
        }
    }

    @Test
    void how_often_to_ask_a_resolver_that_does_not_exist() {
        WebApplicationContextRunner asking = runner.withPropertyValues("semel.operations.pay.reconcile.max-tries=40");
        refused(asking, "semel.operations.pay.reconcile", "@ResolvesOutcomesOf(\"pay\")");
        asking.withPropertyValues("semel.reconciler.enabled=false")
                .run(context -> assertThat(context).hasNotFailed());
        asking.withUserConfiguration(Parts.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            semel.downstream-secret=hunter2                                   | semel.downstream-secret has 7 characters: at least 16
            semel.encryption.keys.k1=hunter2!                                 | semel.encryption.current is missing: set it to the id
            semel.encryption.current=k2;semel.encryption.keys.k1=hunter2!     | semel.encryption.current is "k2": set it to the id
            semel.encryption.current=k1;semel.encryption.keys.k1=hunter2!     | semel.encryption.keys.k1 is not base64
            semel.encryption.current=k1;semel.encryption.keys.k1=aHVudGVyMg== | semel.encryption.keys.k1 is wrong: encryption key k1 has 7 bytes, an AES key has 16, 24 or 32
            semel.fingerprints.current=f1;semel.fingerprints.keys.f1=aHVudGVyMg== | semel.fingerprints.keys.f1 is wrong: a fingerprint secret has 7 bytes
            semel.keys-secret=hunter2                                         | semel.keys-secret is set, but keys are stored in the clear
            semel.keys=hashed;semel.keys-secret=hunter2                       | semel.keys-secret is wrong
            semel.explanation-secret=aHVudGVyMg==                             | semel.explanation-secret is wrong: the secret for explained mismatches has 7 bytes
            semel.http.explain-mismatches=false;semel.explanation-secret=hunter2 | semel.explanation-secret is set, but mismatches are not explained
            """)
    void secrets_without_showing_them(String properties, String advice) {
        runner.withPropertyValues(split(properties))
                .run(context -> assertThat(causeOf(context))
                        .hasMessageContaining(advice)
                        .hasMessageNotContaining("hunter2")
                        .hasMessageNotContaining("aHVudGVyMg"));
    }

    @Test
    void secrets_that_a_bean_replaces() {
        String[] encryption = {"semel.encryption.current=k1", "semel.encryption.keys.k1=" + KEY_16};
        runner.withPropertyValues(encryption).run(context -> assertThat(context).hasNotFailed());
        runner.withPropertyValues(encryption)
                .withBean(EncryptionKeys.class, () -> EncryptionKeys.current("k", new byte[16]))
                .run(context -> assertThat(causeOf(context)).hasMessageContaining("remove one of the two"));
        runner.withPropertyValues("semel.fingerprints.current=f1", "semel.fingerprints.keys.f1=" + KEY_16 + KEY_16)
                .withBean("own", Fingerprinter.class, Fingerprinter::sha256)
                .run(context -> assertThat(causeOf(context)).hasMessageContaining("remove one of the two"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-100", "-200"})
    void a_filter_before_authentication(String order) {
        WebApplicationContextRunner secured =
                runner.withBean(SemelAutoConfiguration.SECURITY_FILTER, Object.class, Object::new);
        refused(
                secured.withPropertyValues("semel.http.filter-order=" + order),
                "semel.http.filter-order",
                "Use more than -100");
        secured.withPropertyValues("semel.http.filter-order=-99")
                .run(context -> assertThat(context).hasNotFailed());
        secured.withPropertyValues("semel.http.filter-order=" + order, "spring.security.filter.order=-300")
                .run(context -> assertThat(context).hasNotFailed());
        runner.withPropertyValues("semel.http.filter-order=" + order)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void two_rules_for_the_exceptions_of_all_operations() {
        Failures.Rule rule = failure -> Optional.empty();
        WebApplicationContextRunner two =
                runner.withBean("a", Failures.Rule.class, () -> rule).withBean("b", Failures.Rule.class, () -> rule);
        two.run(context -> assertThat(causeOf(context)).hasMessageContaining("a,b"));
        two.withPropertyValues("semel.operations.pay.failure-rule=bean:a")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void none_of_the_defaults_that_an_operation_cannot_follow() {
        runner.withPropertyValues(
                        "semel.defaults.strict-keys=true",
                        "semel.defaults.key-rules.uuid=true",
                        "semel.defaults.key=required",
                        "semel.operations.pay.key=content")
                .run(context -> assertThat(context).hasNotFailed());
    }
}
