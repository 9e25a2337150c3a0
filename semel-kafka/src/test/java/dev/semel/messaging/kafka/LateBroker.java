package dev.semel.messaging.kafka;

import dev.semel.testsupport.servers.KafkaBroker;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.server.authorizer.AclCreateResult;
import org.apache.kafka.server.authorizer.AclDeleteResult;
import org.apache.kafka.server.authorizer.Action;
import org.apache.kafka.server.authorizer.AuthorizableRequestContext;
import org.apache.kafka.server.authorizer.AuthorizationResult;
import org.apache.kafka.server.authorizer.Authorizer;
import org.apache.kafka.server.authorizer.AuthorizerServerInfo;

/**
 * A real broker that creates the partition of a new topic between the first and the second request to write to it: the first
 * is refused, the second finds the partition. A busy broker does so by chance.
 *
 * <p>Requests of one connection are handled one after the other, and each is authorized before it is handled.
 */
final class LateBroker implements AutoCloseable {

    private static final Map<String, Late> LATE = new ConcurrentHashMap<>();

    private final KafkaBroker broker;

    private LateBroker(KafkaBroker broker) {
        this.broker = broker;
    }

    static LateBroker start() {
        return new LateBroker(KafkaBroker.start(Map.of("authorizer.class.name", SecondWrite.class.getName())));
    }

    String servers() {
        return broker.servers();
    }

    /** Creates a topic of one partition, which is not late. */
    void createTopic(String name) throws Exception {
        broker.createTopic(name, 1);
    }

    /** Returns when the broker has created the partition of a topic. */
    void awaitPartition(String topic) {
        broker.awaitPartitions(topic, 1);
    }

    /** A topic that is created with its first request, and whose partition is created with the second. */
    Late late(String topic) throws Exception {
        Late late = new Late(topic, servers(), LatePartitions.of(topic));
        LATE.put(topic, late);
        return late;
    }

    @Override
    public void close() {
        broker.close();
    }

    /** One such topic. */
    static final class Late implements AutoCloseable {

        private final String topic;
        private final String servers;
        private final LatePartitions partitions;
        private int writes;

        private Late(String topic, String servers, LatePartitions partitions) {
            this.topic = topic;
            this.servers = servers;
            this.partitions = partitions;
        }

        private synchronized void write() {
            writes++;
            if (writes == 2) {
                release();
            }
        }

        synchronized int writes() {
            return writes;
        }

        /** Returns when the partition can be written to. */
        void release() {
            partitions.release();
            TopicPartition partition = new TopicPartition(topic, 0);
            try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
                admin.listOffsets(Map.of(partition, OffsetSpec.latest())).all().get();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() throws Exception {
            LATE.remove(topic);
            partitions.close();
        }
    }

    /** Allows everything. */
    public static final class SecondWrite implements Authorizer {

        @Override
        public Map<Endpoint, ? extends CompletionStage<Void>> start(AuthorizerServerInfo server) {
            Map<Endpoint, CompletionStage<Void>> started = new ConcurrentHashMap<>();
            server.endpoints().forEach(endpoint -> started.put(endpoint, CompletableFuture.completedFuture(null)));
            return started;
        }

        @Override
        public List<AuthorizationResult> authorize(AuthorizableRequestContext request, List<Action> actions) {
            for (Action action : actions) {
                Late late = LATE.get(action.resourcePattern().name());
                if (late != null && action.operation() == AclOperation.WRITE) {
                    late.write();
                }
            }
            return actions.stream().map(action -> AuthorizationResult.ALLOWED).toList();
        }

        @Override
        public List<? extends CompletionStage<AclCreateResult>> createAcls(
                AuthorizableRequestContext request, List<AclBinding> bindings) {
            return List.of();
        }

        @Override
        public List<? extends CompletionStage<AclDeleteResult>> deleteAcls(
                AuthorizableRequestContext request, List<AclBindingFilter> filters) {
            return List.of();
        }

        @Override
        public Iterable<AclBinding> acls(AclBindingFilter filter) {
            return List.of();
        }

        @Override
        public void configure(Map<String, ?> configs) {}

        @Override
        public void close() {}
    }
}
