package dev.semel.spring;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The starters of Semel, each for some versions of Spring Boot. */
enum Starter {
    BOOT_3("semel-spring-boot3-starter", 3, 5),
    BOOT_4("semel-spring-boot-starter", 4, 1);

    private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+)\\..*");

    private final String artifact;
    private final int major;
    private final int minor;

    Starter(String artifact, int major, int minor) {
        this.artifact = artifact;
        this.major = major;
        this.minor = minor;
    }

    /** Why an application on a version of Spring Boot cannot use this starter, in one sentence; empty if it can. */
    Optional<String> refusal(String version) {
        Matcher parts = VERSION.matcher(version);
        if (!parts.matches()) {
            return Optional.of(refused(version) + "use " + supported() + '.');
        }
        int foundMajor = Integer.parseInt(parts.group(1));
        int foundMinor = Integer.parseInt(parts.group(2));
        for (Starter starter : values()) {
            if (starter.major == foundMajor && starter.minor <= foundMinor) {
                return starter == this
                        ? Optional.empty()
                        : Optional.of(refused(version) + "depend on dev.semel:" + starter.artifact + " instead.");
            }
        }
        return Optional.of(refused(version) + "use " + supported() + '.');
    }

    private String refused(String version) {
        return artifact + " does not support Spring Boot " + version + ": ";
    }

    private static String supported() {
        return "Spring Boot 3.5 with dev.semel:" + BOOT_3.artifact + ", or Spring Boot 4.1 or newer with dev.semel:"
                + BOOT_4.artifact;
    }
}
