package dev.semel.spring;

import dev.semel.Retention.Expiry;
import dev.semel.http.Gate;
import dev.semel.http.GateBuilder;
import dev.semel.jdbc.config.SchemaMode;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The properties {@code semel.*}; none is required. The application does not start with one that does not exist: a policy
 * that is ignored because of a misspelling would be worse.
 *
 * @param enabled whether Semel is active in the application
 * @param store where records are kept: auto for the application's DataSource, or a file where there is none at all;
 *     jdbc for the DataSource and nothing else; or a store's URI, such as sqlite:data/semel.db,
 *     postgresql://user:password@host/database, redis://user:password@host (with the module semel-redis),
 *     dynamodb://TABLE?region=REGION (with the module semel-dynamodb),
 *     cassandra://host:9042/keyspace?dc=datacenter (with the module semel-cassandra) or memory:
 * @param dataSource the name of the DataSource bean that holds the records, where it is neither the only nor the primary one
 * @param tier a Redis in front of the database that records are kept in, such as redis://user:password@host; needs
 *     the module semel-redis
 * @param tierTimeout how long a claim waits for the Redis of tier before it uses the database
 * @param tierMaxAge how long the Redis of tier keeps a record at most, and thus replays it after an operator has deleted it
 * @param jdbc how the tables in the application's DataSource are used; a store's URI has parameters for that
 * @param defaults the settings of operations that have no own ones
 * @param operations the policy of each operation, by its name, such as create-payment
 * @param unmatched how requests with unsafe methods are treated that belong to no operation
 * @param unprotected requests that always pass untouched, such as "POST /webhooks/**"
 * @param http how keys are sent, and the path of their state
 * @param downstreamSecret makes keys that are derived for other services unguessable: at least 16 characters, the same in all
 *     instances, and never changed
 * @param keys how keys are stored: clear, as clients send them, or hashed, as digests by keys-secret; the store
 *     must be empty when it is used with hashed keys for the first time
 * @param keysSecret at least 32 random bytes in base64 that keys are hashed with; the same in all instances, for as long as
 *     the store is used
 * @param explanationSecret at least 32 random bytes in base64 for the digests that mismatches are explained with, the same in all
 *     instances; without it, one is derived from the current secret of fingerprints or from keys-secret, and without those a
 *     random one is kept in the store
 * @param encryption the AES keys that recorded responses are encrypted with, of 16, 24 or 32 bytes
 * @param fingerprints the secrets that fingerprints are made with, so that readers of the store cannot test guesses of what
 *     requests contained
 * @param reconciler settles unknown outcomes on the evidence of resolvers
 * @param pruning removes records that are past their retention
 * @param nearCache completed records in memory, replayed without a call to the store
 * @param inbox how messages of brokers are handled; needs the module semel-messaging
 * @param console pages and an API for operators, below /semel; off unless enabled
 * @param webhooks the endpoints that receive webhooks, by the name of their sender; needs the module semel-messaging
 */
@ConfigurationProperties(prefix = "semel", ignoreUnknownFields = false)
public record SemelProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("auto") String store,
        @Nullable String dataSource,
        @Nullable String tier,
        @Nullable Duration tierTimeout,
        @Nullable Duration tierMaxAge,
        @DefaultValue Jdbc jdbc,
        @NestedConfigurationProperty @DefaultValue OperationProperties defaults,
        @DefaultValue Map<String, OperationProperties> operations,
        @DefaultValue("with-key") Unmatched unmatched,
        @DefaultValue List<String> unprotected,
        @DefaultValue Http http,
        @Nullable String downstreamSecret,
        @DefaultValue("clear") Keys keys,
        @Nullable String keysSecret,
        @Nullable String explanationSecret,
        @DefaultValue SecretKeys encryption,
        @DefaultValue SecretKeys fingerprints,
        @DefaultValue ReconcilerProperties reconciler,
        @DefaultValue Pruning pruning,
        @DefaultValue NearCacheProperties nearCache,
        @DefaultValue InboxProperties inbox,
        @NestedConfigurationProperty @DefaultValue ConsoleProperties console,
        @DefaultValue Map<String, WebhookProperties> webhooks) {

    /**
     * How the tables in the application's DataSource are used.
     *
     * @param schemaMode what the start does about the tables: create (creates what is absent) or validate (changes nothing, and
     *     fails if they do not fit)
     * @param acceptUnsafeDurability whether to start on a PostgreSQL, MySQL or MariaDB that may lose what it has confirmed; for
     *     tests and throw-away data
     * @param lanes how many large batches run at once in PostgreSQL, MySQL or MariaDB
     * @param busyTimeout how long to wait for other writers of a SQLite file
     * @param tombstones how long a deleted record leaves a tombstone, which refuses late retries of keys without a time
     */
    public record Jdbc(
            @Nullable SchemaMode schemaMode,
            @Nullable Boolean acceptUnsafeDurability,
            @Nullable Integer lanes,
            @Nullable Duration busyTimeout,
            @Nullable Duration tombstones) {}

    /**
     * Secrets by their ids, of which one is current.
     *
     * @param current the id of the secret that new records are written with
     * @param keys the secrets by their ids, in base64; an older one stays until the longest retention has passed
     */
    public record SecretKeys(
            @Nullable String current, @DefaultValue Map<String, String> keys) {

        /** Without the secrets. */
        @Override
        public String toString() {
            return "the secrets " + keys.keySet() + ", current " + current;
        }
    }

    /** How keys are stored. */
    public enum Keys {
        /** As clients send them. */
        CLEAR,
        /** As digests by {@code semel.keys-secret}. */
        HASHED
    }

    /** How requests are treated that belong to no operation. */
    public enum Unmatched {
        /** Protected when the client sends a key, as the operation {@code http}; executed without protection otherwise. */
        WITH_KEY,
        /** Refused without a key, protected with one. */
        REQUIRED,
        /** Executed without protection, also when the client sends a key. */
        IGNORED
    }

    /**
     * How keys are sent.
     *
     * @param keyHeader the header that clients send their key in
     * @param strictKeys whether only keys are accepted that are an RFC 9651 String, such as "abc" with its quotes
     * @param statusPath the path of the resource that answers the state of a key
     * @param policyPath the path at which the policy of every operation is published, as JSON and as a page, such as
     *     /idempotency/policy; it is not published where this is not set
     * @param answerHeaders whether answers repeat the key and say until when they are kept, and replays how old they are
     * @param documentation the page about keys that every problem of Semel links to
     * @param describeRequests whether method and path of a request are stored with its record, in clear, for operators
     * @param explainMismatches whether the answer to a key that was used for another request says in what the two differ, by keyed
     *     digests that are stored with each record
     * @param containerErrors whether Tomcat and Jetty answer errors before any filter, such as headers that are too long or
     *     malformed request lines, with problems instead of HTML
     * @param filterOrder the order of the filter: higher than that of the filters that authenticate and authorize
     */
    public record Http(
            @DefaultValue("Idempotency-Key") String keyHeader,
            @DefaultValue("false") boolean strictKeys,
            @DefaultValue("/idempotency/status") String statusPath,
            @Nullable String policyPath,
            @DefaultValue("true") boolean answerHeaders,
            @Nullable URI documentation,
            @DefaultValue("true") boolean describeRequests,
            @DefaultValue("true") boolean explainMismatches,
            @DefaultValue("true") boolean containerErrors,
            @DefaultValue("2147483547") int filterOrder) {

        Gate configure(GateBuilder gate) {
            Operations.checked("semel.http.key-header", keyHeader, () -> gate.keyHeader(keyHeader));
            Operations.checked("semel.http.status-path", statusPath, () -> gate.statusPath(statusPath));
            if (strictKeys) {
                gate.strictKeys();
            }
            String policy = policyPath;
            if (policy != null) {
                Operations.checked("semel.http.policy-path", policy, () -> gate.policyPath(policy));
            }
            if (documentation != null) {
                gate.documentation(documentation);
            }
            return gate.answerHeaders(answerHeaders)
                    .describeRequests(describeRequests)
                    .build();
        }
    }

    /**
     * Settles unknown outcomes on the evidence of resolvers.
     *
     * @param enabled whether this instance looks for expired leases and calls the resolvers
     * @param every how long to pause when there is nothing left to do
     * @param answerWithin how long one call of a resolver takes at most
     * @param batch how many unknown outcomes are taken at once
     */
    public record ReconcilerProperties(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("10s") Duration every,
            @DefaultValue("30s") Duration answerWithin,
            @DefaultValue("20") int batch) {}

    /**
     * Removes records that are past their retention.
     *
     * @param enabled whether this instance prunes
     * @param every how often it prunes
     * @param expiry whether records are deleted, or marked as expired and kept
     */
    public record Pruning(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("10m") Duration every,
            @DefaultValue("delete") Expiry expiry) {}

    /**
     * Completed records in memory; needs the module semel-cache.
     *
     * @param enabled whether this instance keeps records in memory
     * @param maxBytes the most memory that it takes
     * @param maxAge how long a record is kept in memory, and thus replayed after an operator has deleted it
     */
    public record NearCacheProperties(
            @DefaultValue("false") boolean enabled,
            @DefaultValue("32MB") DataSize maxBytes,
            @DefaultValue("5m") Duration maxAge) {}

    /**
     * How messages of brokers are handled.
     *
     * @param group the group of the bean of type Inbox, within which each message is handled once; without it there is no such
     *     bean
     * @param operation the operation of all inboxes; semel.operations.NAME sets its policy
     * @param maxAttempts the number of failed attempts after which a message is a dead letter
     * @param redeliveryPause the pause before a RabbitMQ or JMS message is returned to its broker; at most 1m
     * @param jms what is particular to JMS listeners
     */
    public record InboxProperties(
            @Nullable String group,
            @DefaultValue("consume") String operation,
            @DefaultValue("5") int maxAttempts,
            @DefaultValue("1s") Duration redeliveryPause,
            @DefaultValue Jms jms) {

        /**
         * What is particular to JMS listeners.
         *
         * @param deadLetterQueue the queue of dead letters, in whose name {destination} stands for the listener's destination;
         *     without it the broker's own limit of deliveries applies
         */
        public record Jms(@Nullable String deadLetterQueue) {}
    }

    /**
     * An endpoint that receives the webhooks of a sender.
     *
     * @param path the path of the endpoint, such as /webhooks/billing
     * @param scheme how the sender signs: standard (Standard Webhooks), stripe, github, or bean:NAME for a bean of type
     *     WebhookScheme
     * @param secret the secret that the sender signs with, or for standard its public key
     * @param previousSecret the former secret, accepted during a rotation
     * @param identifyBy what identifies an event of GitHub, which does not sign the id: id or content
     * @param tolerance the largest accepted difference between a signature's time and now
     * @param maxBodySize the largest accepted body
     * @param operation the operation that handles the events; semel.operations.NAME sets its policy
     */
    public record WebhookProperties(
            @Nullable String path,
            @Nullable String scheme,
            @Nullable String secret,
            @Nullable String previousSecret,
            @Nullable IdentifyBy identifyBy,
            @DefaultValue("5m") Duration tolerance,
            @DefaultValue("1MB") DataSize maxBodySize,
            @DefaultValue("webhook") String operation) {

        /** Segments without the characters that patterns use. */
        private static final Pattern PLAIN_PATH = Pattern.compile("(/[^/*?{}\\s]+)+");

        /** What identifies an event. */
        public enum IdentifyBy {
            /** The id that the sender assigns. */
            ID,
            /** The content, which the signature covers. */
            CONTENT
        }

        /** Whether the path is set, and is not a pattern. */
        public boolean hasPlainPath() {
            return path != null && PLAIN_PATH.matcher(path).matches();
        }

        /** Without the secrets. */
        @Override
        public String toString() {
            return "webhook endpoint " + path;
        }
    }
}
