package dev.semel.jdbc.config;

/** What a store does about its tables when it starts. */
public enum SchemaMode {
    /** Creates what is absent, then checks. Safe when several processes start at once. */
    CREATE,
    /** Changes nothing: checks that everything is there, and refuses to start otherwise. */
    VALIDATE
}
