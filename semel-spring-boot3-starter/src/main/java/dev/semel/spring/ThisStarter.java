package dev.semel.spring;

/** The starter for Spring Boot 3.5. */
final class ThisStarter {

    static final Starter STARTER = Starter.BOOT_3;

    /** Spring Boot's starter with Jackson. */
    static final String JACKSON = "spring-boot-starter-json";

    private ThisStarter() {}
}
