// What the console calls things, in plain words, in one place.

/** States of a record: how they are shown and what they mean. */
export const STATES = {
    in_progress: { label: 'in progress', tone: 'info', means: 'An attempt runs now. Retries are refused until it ends.' },
    completed: { label: 'completed', tone: 'good', means: 'The operation ended. Retries get the recorded response.' },
    failed_retryable: {
        label: 'may run again',
        tone: 'calm',
        means: 'The attempt had no effect. The next retry executes the operation.',
    },
    unknown: {
        label: 'unknown',
        tone: 'warn',
        means: 'The operation may or may not have happened. Retries are refused until this is settled.',
    },
    expired: { label: 'expired', tone: 'calm', means: 'The retention has passed. The record is kept for the audit only.' },
};

export function stateOf(record) {
    if (record.state === 'unknown' && record.deadLettered) {
        return {
            label: 'waits for a person',
            tone: 'bad',
            means: 'The resolver gave up (a dead letter). The outcome stays unknown until a person settles it.',
        };
    }
    return STATES[record.state] ?? { label: String(record.state), tone: 'calm', means: '' };
}

/** What each entry of a history says: a title, a tone, and what it means for the effect. */
const ENTRIES = {
    granted: ['Claimed: the attempt began', 'info', 'From here on the operation may have had its effect.'],
    taken_over: ['Taken over: a new attempt began', 'info', 'The lease before had ended, and this operation may be executed again.'],
    step: ['Step recorded', 'info', 'The result of this step is stored; a later attempt does not repeat it.'],
    given_up: ['Heartbeat lost: the outcome became unknown', 'warn', 'The process stopped renewing its lease. How far it got is not known.'],
    reoffered: ['Lease ended: the next request may take over', 'calm', ''],
    rescheduled: ['The resolver looked and could not tell', 'warn', 'It looks again later.'],
    dead_lettered: ['The resolver gave up: a person must settle it', 'bad', 'It is not asked again unless you say so.'],
    requeued: ['Asked again: the resolver starts anew', 'info', ''],
    expired: ['Retention passed', 'calm', ''],
    proposed: ['Settlement proposed: a second person must approve', 'warn', ''],
    replay_refused: ['A caller was not allowed to have the recorded response', 'warn', ''],
    viewed: ['A person read the recorded response', 'calm', ''],
    forgotten: ['A person had the record forgotten', 'bad', 'The next request with this key executes the operation.'],
};

export function entryWords(entry) {
    if (entry.kind === 'reconciled') {
        return entry.to === 'completed'
            ? ['Settled on evidence: it happened', 'good', 'Retries get the recorded response. Nothing is executed.']
            : ['Settled on evidence: it did not happen', 'calm', 'The next retry executes the operation.'];
    }
    if (entry.kind === 'settled') {
        if (entry.to === 'completed') {
            return entry.from === 'unknown'
                ? ['The late answer arrived: completed', 'good', 'The attempt itself reported its outcome.']
                : ['The attempt ended: completed', 'good', 'Retries get the recorded response.'];
        }
        return entry.to === 'unknown'
            ? ['The attempt ended without an answer: unknown', 'warn', 'The effect may or may not have happened.']
            : ['The attempt ended without an effect', 'calm', 'The next retry executes the operation.'];
    }
    if (entry.kind === 'viewed' && entry.to === 'unknown') {
        return ['A person looked at this outcome', 'calm', ''];
    }
    const words = ENTRIES[entry.kind];
    return words ?? [String(entry.kind).replaceAll('_', ' '), 'calm', ''];
}

/** Codes that Semel itself writes as the reason why an attempt ended so. */
const REASONS = {
    in_progress_lock_expired: 'the lease ran out before the attempt reported its outcome',
    no_answer: 'the request was sent, and no answer came',
    step_not_recorded: 'a step ran, and its result could not be recorded',
    response_not_encodable: 'the operation ran, and its result could not be written as a response',
    OutcomeUnknownException: 'the operation itself reported that it cannot know its outcome',
    timeout: 'the answer did not come in time',
    upstream_timeout: 'the service did not answer the gateway in time',
    upstream_connection_lost: 'the connection to the service was lost after the request was sent',
    upstream_malformed_answer: 'the service’s answer could not be read',
};

/** A reason in words, with its code for searches in logs. */
export const reasonWords = (reason) => (REASONS[reason] ? `${REASONS[reason]} (${reason})` : reason);

/** The decision about an unknown outcome: what each answer claims, and what follows from it. */
export const VERDICTS = {
    happened: {
        title: 'It happened',
        claim: 'You have seen the result: the charge, the order, the mail exists. A final refusal, such as a declined card, '
            + 'counts as happened too: it is the answer, and a retry should get it again.',
        follows: 'Nothing is executed again. Every retry gets the response that you record below.',
        ifWrong: 'If you are wrong, the client believes in something that does not exist.',
    },
    didNotHappen: {
        title: 'It did not happen',
        claim: 'You have proof that it had no effect and will not have one later: the provider says so for this very request, '
            + 'such as that it turned it away before it began, and long enough after it was sent. A retry should try anew.',
        follows: 'The key is released. The next retry executes the operation.',
        ifWrong: 'If you are wrong, it happens twice. “Not found” is no proof while the request may still be on its way.',
    },
    cannotTell: {
        title: 'I cannot tell',
        claim: 'The provider does not answer, its records disagree, or you are not sure.',
        follows: 'The outcome stays unknown, and retries stay refused: that is safe. You can have the resolver look again.',
        ifWrong: '',
    },
};

export const verdictTitle = (happened) => (happened ? VERDICTS.happened : VERDICTS.didNotHappen).title;
