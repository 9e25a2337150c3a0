package dev.semel.spring;

import java.util.List;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The console and its API, behind the security of the application.
 *
 * @param enabled whether they are served, below /semel
 * @param write whether people may settle, requeue, forget and prune; without it they only look
 * @param approvals how many people it takes to settle an unknown outcome, 1 or 2
 * @param viewer the authorities of which one lets a user look at records
 * @param operator the authorities of which one lets a user read responses, settle and requeue
 * @param administrator the authorities of which one lets a user also forget and prune
 */
public record ConsoleProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("false") boolean write,
        @DefaultValue("1") int approvals,
        @DefaultValue("ROLE_SEMEL_VIEWER") List<String> viewer,
        @DefaultValue("ROLE_SEMEL_OPERATOR") List<String> operator,
        @DefaultValue("ROLE_SEMEL_ADMINISTRATOR") List<String> administrator) {}
