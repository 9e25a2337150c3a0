package dev.semel.server.gateway.config;

import dev.semel.fingerprint.Pointer;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What one kind of answer to a look-up means. */
public record LookupRule(When when, Meaning meaning) {

    /**
     * The answers that a rule is about: of these statuses, and with one of these values at the pointer.
     *
     * @param statuses empty for every one from 200 to 299
     * @param pointer into the answer's JSON; null when its body does not matter
     * @param values as texts, also of numbers and of {@code true}; empty for any value but {@code null}
     */
    public record When(Set<Integer> statuses, @Nullable Pointer pointer, Set<String> values) {

        public When {
            statuses = Set.copyOf(statuses);
            values = Set.copyOf(values);
            for (int status : statuses) {
                if (status < 200 || status > 599) {
                    throw new IllegalArgumentException(
                            "the status " + status + " of a rule must be between 200 and 599");
                }
            }
            if (statuses.isEmpty() && pointer == null) {
                throw new IllegalArgumentException("a rule needs a status, a pointer into the answer's JSON, or both");
            }
            if (pointer == null && !values.isEmpty()) {
                throw new IllegalArgumentException("a rule with values needs the pointer to where they are");
            }
        }

        /** Answers with this status. */
        public static When status(int status) {
            return new When(Set.of(status), null, Set.of());
        }

        /** Successful answers with one of these values at the pointer. */
        public static When value(String pointer, String... values) {
            return new When(Set.of(), Pointer.of(pointer), Set.of(values));
        }

        public boolean acceptsStatus(int status) {
            return statuses.isEmpty() ? status >= 200 && status <= 299 : statuses.contains(status);
        }

        /** The rule in a few words, for evidence. */
        @Override
        public String toString() {
            String status = statuses.isEmpty() ? "2xx" : new TreeSet<>(statuses).toString();
            if (pointer == null) {
                return "status " + status;
            }
            return "status " + status + " and " + pointer
                    + (values.isEmpty() ? " present" : " in " + new TreeSet<>(values));
        }
    }

    /** What an answer means. */
    public sealed interface Meaning {

        /**
         * It happened, and this is what retries get. A decline happened, too.
         *
         * @param status of the answer to retries
         * @param body where the body of the answer to retries is in the look-up's JSON; the empty pointer stands for its whole
         *     body, as it is; null for no body
         */
        record Happened(int status, @Nullable Pointer body) implements Meaning {
            public Happened {
                if (status < 200 || status > 599) {
                    throw new IllegalArgumentException(
                            "retries would get the status " + status + ", it must be between 200 and 599");
                }
            }
        }

        /** It did not happen, which counts when the settle window has passed. */
        record DidNotHappen() implements Meaning {}

        /** It is pending: the question is asked again. */
        record CannotTell() implements Meaning {}
    }

    /**
     * Checks that the rule does not take an error for "it did not happen".
     *
     * @throws IllegalArgumentException when it would
     */
    public LookupRule {
        if (meaning instanceof Meaning.DidNotHappen) {
            for (int status : when.statuses()) {
                boolean said = status == 404 || status == 410 || (status < 300 && when.pointer() != null);
                if (!said) {
                    throw new IllegalArgumentException("the status " + status + " does not say that nothing happened;"
                            + " use 404, 410, or a successful status with a pointer into the answer");
                }
            }
        }
    }

    /** A rule that answers like this mean that it happened; retries get this status and the whole answer. */
    public static LookupRule happened(When when, int status) {
        return new LookupRule(when, new Meaning.Happened(status, Pointer.of("")));
    }

    public static LookupRule didNotHappen(When when) {
        return new LookupRule(when, new Meaning.DidNotHappen());
    }

    public static LookupRule cannotTell(When when) {
        return new LookupRule(when, new Meaning.CannotTell());
    }
}
