// What this tab remembers until it is closed. Keys, scopes and drafts live here and never in an address.

const REFERENCES = 'semel-references';
const DRAFT = 'semel-draft:';
/** Enough for hours of looking around; the oldest references are dropped, so that the storage never fills. */
const MAX_REFERENCES = 1000;

function read(name, otherwise) {
    try {
        return JSON.parse(sessionStorage.getItem(name)) ?? otherwise;
    } catch (unreadable) {
        return otherwise;
    }
}

function write(name, value) {
    try {
        sessionStorage.setItem(name, JSON.stringify(value));
    } catch (full) {
        // Without storage the page works, but a reload forgets.
    }
}

/** The opaque reference of a value, the same for equal values in this tab. */
export function referenceTo(value) {
    const entries = read(REFERENCES, []);
    const wanted = JSON.stringify(value);
    const known = entries.find(([, kept]) => JSON.stringify(kept) === wanted);
    if (known) {
        return known[0];
    }
    const bytes = crypto.getRandomValues(new Uint8Array(9));
    const reference = Array.from(bytes, (byte) => byte.toString(36).padStart(2, '0')).join('').slice(0, 14);
    write(REFERENCES, [...entries, [reference, value]].slice(-MAX_REFERENCES));
    return reference;
}

/** What a reference stands for; undefined in another tab or session. */
export function referred(reference) {
    const entry = read(REFERENCES, []).find(([kept]) => kept === reference);
    return entry && entry[1];
}

export const draft = (name) => read(DRAFT + name, undefined);
export const keepDraft = (name, value) => write(DRAFT + name, value);
export const dropDraft = (name) => sessionStorage.removeItem(DRAFT + name);

/** Forgets everything, on logout. */
export function forgetAll() {
    try {
        sessionStorage.clear();
    } catch (refused) {
        // There was nothing to forget.
    }
}
