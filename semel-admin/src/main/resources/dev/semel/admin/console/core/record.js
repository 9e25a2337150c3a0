// What the history of a record says about its present.

/** A person in the audit is "person:NAME from ADDRESS"; others are named as they are. */
export function actor(source) {
    const person = /^person:(.*?)(?: from (.*))?$/s.exec(source);
    return person ? { person: true, name: person[1], address: person[2] } : { person: false, name: String(source) };
}

/** Who did it, in words. */
export function actorWords(source) {
    const { person, name, address } = actor(source);
    return person && address ? `${name}, from ${address}` : name;
}

const ofThisAttempt = (record, kinds) =>
    (record.audit ?? []).filter((entry) => entry.fence === record.fence && kinds.includes(entry.kind));

/** How often the resolver has looked and said something, as the queue counts it. */
export const looksOf = (record) => ofThisAttempt(record, ['rescheduled', 'dead_lettered']).length;

/** The last look of the resolver: when, and what it said. */
export function lastLook(record) {
    const looks = ofThisAttempt(record, ['rescheduled', 'dead_lettered']);
    const last = looks[looks.length - 1];
    return record.lastLook ?? (last && { at: last.at, said: last.detail });
}

/** The proposal in an entry of the history: it is kept there as JSON. */
export function proposalIn(entry) {
    try {
        const { happened, reason, digest } = JSON.parse(entry.detail);
        return { by: actor(entry.by).name, at: entry.at, happened, reason, digest };
    } catch (notJson) {
        return undefined;
    }
}

/** The settlement that one person has proposed for an unknown record and a second has not yet approved. */
export function proposalOf(record) {
    if (record.state !== 'unknown') {
        return undefined;
    }
    const entries = ofThisAttempt(record, ['proposed']);
    return entries.length ? proposalIn(entries[entries.length - 1]) : undefined;
}
