package dev.semel.spring;

/** The application runs on a version of Spring Boot that this starter is not made for. */
final class UnsupportedVersionException extends IllegalStateException {

    UnsupportedVersionException(String message) {
        super(message);
    }
}
