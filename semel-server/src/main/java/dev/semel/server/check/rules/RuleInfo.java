package dev.semel.server.check.rules;

/**
 * What a rule is.
 *
 * @param id stable, for reports and options
 * @param title what holds where the rule holds
 * @param source the section it comes from
 */
public record RuleInfo(String id, Level level, String title, Source source) {}
