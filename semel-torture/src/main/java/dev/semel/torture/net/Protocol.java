package dev.semel.torture.net;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/** What a database's server and its clients say to each other, as far as one has to know it to lose the right answer. */
public enum Protocol {
    POSTGRESQL(5432, PostgresConversation::new),
    MYSQL(3306, MysqlConversation::new);

    private final int usualPort;
    private final Function<AtomicBoolean, Conversation> conversation;

    Protocol(int usualPort, Function<AtomicBoolean, Conversation> conversation) {
        this.usualPort = usualPort;
        this.conversation = conversation;
    }

    public int usualPort() {
        return usualPort;
    }

    /** A new connection; it loses the answer to a commit when it is told to, and then takes that back. */
    Conversation newConversation(AtomicBoolean loseNextAnswer) {
        return conversation.apply(loseNextAnswer);
    }
}
