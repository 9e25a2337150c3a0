package dev.semel.torture.app;

/** The answer to a client, with a status as in HTTP. */
public record Answer(int status, String body) {}
