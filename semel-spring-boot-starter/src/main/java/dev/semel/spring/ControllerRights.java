package dev.semel.spring;

import dev.semel.Intent.ReplayCheck;
import java.util.Optional;

/** What authorizes the controller methods of an application, as a check of replays. */
@FunctionalInterface
interface ControllerRights {

    /** The check; empty where no controller method is authorized. */
    Optional<ReplayCheck> check();
}
