package dev.semel.torture.app;

/** What a client is told, with a status as HTTP has it. */
public record Answer(int status, String body) {}
