package dev.semel.torture.net;

import java.util.concurrent.atomic.AtomicBoolean;

/** What a database's server and its clients say to each other, as far as one has to know it to lose the right answer. */
public enum Protocol {
    POSTGRESQL(5432),
    MYSQL(3306),
    REDIS(6379);

    private final int usualPort;

    Protocol(int usualPort) {
        this.usualPort = usualPort;
    }

    public int usualPort() {
        return usualPort;
    }

    /** A new connection, which loses the answer to one write when that is ordered. */
    Conversation newConversation(AtomicBoolean loseNextAnswer) {
        return switch (this) {
            case POSTGRESQL -> new PostgresConversation(loseNextAnswer);
            case MYSQL -> new MysqlConversation(loseNextAnswer);
            case REDIS -> new RedisConversation(loseNextAnswer);
        };
    }
}
