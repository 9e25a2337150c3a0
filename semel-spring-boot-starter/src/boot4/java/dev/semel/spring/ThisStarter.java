package dev.semel.spring;

/** The starter for Spring Boot 4. */
final class ThisStarter {

    static final Starter STARTER = Starter.BOOT_4;

    /** Spring Boot's starter with Jackson. */
    static final String JACKSON = "spring-boot-starter-jackson";

    private ThisStarter() {}
}
