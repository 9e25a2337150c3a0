package dev.semel.messaging.kafka;

import java.lang.management.ManagementFactory;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerDelegate;
import javax.management.MBeanServerNotification;
import javax.management.NotificationListener;
import javax.management.ObjectName;

/**
 * Partitions of one topic that a broker of this JVM names in its metadata and has not created yet.
 *
 * <p>Creating a partition registers its gauges as MBeans, on the thread that creates it; a listener of the MBean server stops
 * that thread until {@link #release}. A busy broker can stop at the same place.
 */
final class LatePartitions implements AutoCloseable {

    private static final MBeanServer BEANS = ManagementFactory.getPlatformMBeanServer();

    private final CountDownLatch released = new CountDownLatch(1);
    private final AtomicBoolean held = new AtomicBoolean();
    private final NotificationListener listener;

    private LatePartitions(String topic) {
        this.listener = (notification, unused) -> {
            if (notification instanceof MBeanServerNotification bean
                    && bean.getType().equals(MBeanServerNotification.REGISTRATION_NOTIFICATION)
                    && isPartitionOf(topic, bean.getMBeanName())) {
                held.set(true);
                awaitRelease();
            }
        };
    }

    /** Holds the creation of this topic's partitions from now on. */
    static LatePartitions of(String topic) throws JMException {
        LatePartitions late = new LatePartitions(topic);
        BEANS.addNotificationListener(MBeanServerDelegate.DELEGATE_NAME, late.listener, null, null);
        return late;
    }

    private static boolean isPartitionOf(String topic, ObjectName name) {
        return name.getDomain().equals("kafka.cluster") && topic.equals(name.getKeyProperty("topic"));
    }

    private void awaitRelease() {
        try {
            released.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether the broker is creating one. */
    boolean areHeld() {
        return held.get();
    }

    void release() {
        released.countDown();
    }

    /** The number of requests of this kind that the broker has refused so far because the partition was missing. */
    static long refused(String request) throws JMException {
        ObjectName errors = new ObjectName("kafka.network:type=RequestMetrics,name=ErrorsPerSec,request=" + request
                + ",error=NOT_LEADER_OR_FOLLOWER");
        try {
            return (Long) BEANS.getAttribute(errors, "Count");
        } catch (InstanceNotFoundException none) {
            return 0;
        }
    }

    @Override
    public void close() throws JMException {
        release();
        BEANS.removeNotificationListener(MBeanServerDelegate.DELEGATE_NAME, listener);
    }
}
