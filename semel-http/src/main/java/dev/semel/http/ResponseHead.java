package dev.semel.http;

import java.util.Collection;

/** Status and headers of a response of which nothing has been sent yet, in a transport's own type. */
public interface ResponseHead {

    void setStatus(int status);

    /** The values that a header has so far. */
    Collection<String> values(String name);

    /** Replaces the values of a header. */
    void set(String name, String value);

    void add(String name, String value);
}
