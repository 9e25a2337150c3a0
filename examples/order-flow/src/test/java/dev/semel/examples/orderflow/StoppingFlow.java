package dev.semel.examples.orderflow;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.engine.Event;
import dev.semel.engine.SemelEngine;
import dev.semel.jdbc.postgresql.PostgresStore;
import dev.semel.messaging.kafka.KafkaPublisher;
import dev.semel.messaging.outbox.Publisher;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.sql.Connection;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;

/**
 * The flow in a separate process, which stops at a stage, prints that, and waits to be killed. It is the example with parts
 * around its parts that stop.
 */
final class StoppingFlow {

    static final String STOPPED = "Stopped";

    private final Stage stage;

    private StoppingFlow(Stage stage) {
        this.stage = stage;
    }

    public static void main(String[] arguments) throws Exception {
        new StoppingFlow(Stage.valueOf(arguments[0])).run(arguments[1], arguments[2], URI.create(arguments[3]));
    }

    private void run(String databaseUri, String kafka, URI provider) throws Exception {
        endWithParent();
        Settings settings = TestSettings.of(kafka);
        HikariDataSource pool = TestSettings.pool(databaseUri);
        SemelEngine semel = SemelEngine.on(new PostgresStore(pool))
                .listener(this::stopAtEvent)
                .build();
        OrderFlow flow = new OrderFlow(
                settings,
                semel,
                stoppingAroundCommit(pool),
                stoppingAroundPublishing(KafkaPublisher.to(settings.kafka())),
                stoppingAfterMail(new MailClient(provider)));
        System.out.println("Ready: " + flow.uri());
    }

    private void stopIf(Stage here) {
        if (stage != here) {
            return;
        }
        System.out.println(STOPPED);
        waitToBeKilled();
    }

    private static void waitToBeKilled() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void stopAtEvent(Event event) {
        if (event instanceof Event.Granted granted) {
            stopIf(granted.operation().equals(Mailer.CONFIRM_ORDER) ? Stage.RECEIVED : Stage.CLAIMED);
        } else if (event instanceof Event.Settled settled && settled.operation().equals(Mailer.CONFIRM_ORDER)) {
            stopIf(Stage.SETTLED);
        }
    }

    private Publisher stoppingAroundPublishing(Publisher publisher) {
        return messages -> {
            if (stage.compareTo(Stage.TAKEN) < 0) {
                // Killed between publishing and deleting the message, the relay would have it published twice.
                waitToBeKilled();
            }
            stopIf(Stage.TAKEN);
            publisher.publish(messages);
            stopIf(Stage.PUBLISHED);
        };
    }

    private Mails stoppingAfterMail(Mails mails) {
        return new Mails() {
            @Override
            public void send(String key, String to, String text) {
                mails.send(key, to, text);
                stopIf(Stage.MAILED);
            }

            @Override
            public boolean wasSent(String key) throws IOException, InterruptedException {
                return mails.wasSent(key);
            }
        };
    }

    private DataSource stoppingAroundCommit(DataSource database) {
        return proxy(DataSource.class, (method, arguments) -> {
            Object result = call(database, method, arguments);
            return result instanceof Connection connection ? stoppingAroundCommit(connection) : result;
        });
    }

    /** Only transactions that place an order: the relay commits too. */
    private Connection stoppingAroundCommit(Connection connection) {
        boolean[] placesOrder = new boolean[1];
        return proxy(Connection.class, (method, arguments) -> {
            boolean commits = method.getName().equals("commit") && placesOrder[0];
            if (commits) {
                stopIf(Stage.WRITTEN);
            }
            Object result = call(connection, method, arguments);
            if (commits) {
                stopIf(Stage.COMMITTED);
            }
            if (method.getName().equals("prepareStatement")
                    && arguments[0].toString().contains("INSERT INTO customer_order")) {
                placesOrder[0] = true;
            }
            return result;
        });
    }

    private interface Calls {
        Object to(Method method, Object[] arguments) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, Calls calls) {
        return type.cast(Proxy.newProxyInstance(
                StoppingFlow.class.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> calls.to(method, arguments)));
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static void endWithParent() {
        Thread watch = new Thread(() -> {
            try {
                while (System.in.read() >= 0) {
                    continue;
                }
            } catch (IOException e) {
                System.err.println(e);
            }
            Runtime.getRuntime().halt(1);
        });
        watch.setDaemon(true);
        watch.start();
    }
}
