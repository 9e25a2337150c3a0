package dev.semel.server.check.rules;

import dev.semel.server.check.subject.Intent;
import dev.semel.server.check.wire.WireRequest;
import java.util.ArrayList;
import java.util.List;

/** The fewest steps that show a broken rule, to be repeated by a person with values of their own. */
public final class Reproduction {

    private final List<Intent> intents = new ArrayList<>();
    private final List<Step> steps = new ArrayList<>();

    /** One step. */
    public sealed interface Step {

        /** Sends a request, and waits for its answer. */
        record Send(WireRequest request, String comment) implements Step {}

        /** Sends the same request several times at once. */
        record SendTogether(WireRequest request, int times, String comment) implements Step {}

        /** Sends different requests at once. */
        record SendAll(List<WireRequest> requests, String comment) implements Step {
            public SendAll {
                requests = List.copyOf(requests);
            }
        }

        /** Sends a request, and hangs up after some seconds. */
        record GiveUp(WireRequest request, String seconds, String comment) implements Step {}

        /** Waits. */
        record Wait(String seconds) implements Step {}

        /** Counts effects. */
        record Count(String comment) implements Step {}
    }

    private Reproduction(List<Intent> intents) {
        this.intents.addAll(intents);
    }

    /**
     * Begins without steps.
     *
     * @param intents those whose keys and values are replaced by fresh ones
     */
    public static Reproduction of(Intent... intents) {
        return new Reproduction(List.of(intents));
    }

    public Reproduction send(WireRequest request, String comment) {
        steps.add(new Step.Send(request, comment));
        return this;
    }

    public Reproduction sendTogether(WireRequest request, int times, String comment) {
        steps.add(new Step.SendTogether(request, times, comment));
        return this;
    }

    public Reproduction sendTogether(List<WireRequest> requests, String comment) {
        steps.add(new Step.SendAll(requests, comment));
        return this;
    }

    public Reproduction giveUp(WireRequest request, String seconds, String comment) {
        steps.add(new Step.GiveUp(request, seconds, comment));
        return this;
    }

    public Reproduction await(String seconds) {
        steps.add(new Step.Wait(seconds));
        return this;
    }

    public Reproduction count(String comment) {
        steps.add(new Step.Count(comment));
        return this;
    }

    public List<Intent> intents() {
        return List.copyOf(intents);
    }

    public List<Step> steps() {
        return List.copyOf(steps);
    }
}
