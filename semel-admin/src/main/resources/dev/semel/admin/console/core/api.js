// Calls of the admin API. Every failure is a Problem that says what happened and what to do.

const BASE = new URL('../api/v1/', document.baseURI.split('#')[0]);

/** A refused or failed call: the problem details of the answer, or what kept the call from being answered. */
export class Problem extends Error {
    constructor({ status = 0, code = 'unreachable', title, detail, ...more }) {
        super(detail || title);
        Object.assign(this, { status, code, title, detail, more });
    }
}

const sessionLost = new Set();

/** Calls the listener when an answer says that the login has ended. Returns the function that stops it. */
export function onSessionLost(listener) {
    sessionLost.add(listener);
    return () => sessionLost.delete(listener);
}

export function apiUrl(path) {
    return new URL(path.replace(/^\//, ''), BASE).href;
}

export const get = (path) => send('GET', path);
export const post = (path, body = {}) => send('POST', path, body);

async function send(method, path, body) {
    const request = { method, credentials: 'same-origin', cache: 'no-store', headers: { Accept: 'application/json' } };
    if (method === 'POST') {
        request.headers['Content-Type'] = 'application/json';
        request.body = JSON.stringify(body);
    }
    let answer;
    try {
        answer = await fetch(apiUrl(path), request);
    } catch (failure) {
        throw new Problem({
            title: 'The server does not answer',
            detail: 'The request did not reach the console’s server, or its answer was lost.',
        });
    }
    const content = await json(answer);
    if (answer.ok && content !== undefined) {
        return content;
    }
    const problem = new Problem({
        code: 'http_' + answer.status,
        title: answer.ok ? 'The server’s answer is not JSON' : `The server answered ${answer.status}`,
        ...content,
        status: answer.status,
    });
    if (answer.status === 401 && path !== '/login') {
        sessionLost.forEach((listener) => listener(problem));
    }
    throw problem;
}

async function json(answer) {
    try {
        return await answer.json();
    } catch (notJson) {
        return undefined;
    }
}

const ADVICE = {
    unreachable:
        'Check that the server runs and that you are connected, then try again. What you typed is kept on this page. '
        + 'If you were settling: reload the record first, because the settlement may have been recorded.',
    fence_changed: 'Another attempt or person changed this record. Read what is new below, then decide again. What you typed is kept.',
    settled_otherwise: 'Read in the history what was recorded and why. If that is wrong, talk to the person who recorded it.',
    proposal_differs: 'Talk to the person who made the proposal. Approve theirs, or let them agree to yours.',
    read_only: 'This console only shows. To settle, start it with --write (or semel.console.write: true), or use the command line.',
    record_in_progress: 'Wait until the attempt has ended, then try again.',
    role_missing: 'Your role does not allow this. Ask an operator or an administrator.',
    no_such_record: 'Check scope and key. A settled record is deleted when its retention has passed.',
    login_failed: 'Check that you copied the whole token, then try again. Or ask an administrator for a new one.',
    too_many_failures: 'Wait a minute before you try again.',
    record_unknown: 'Settle the outcome first. Then the record can be forgotten.',
    store_unavailable: 'Nothing was changed. Check that the store runs, then try again. What you typed is kept on this page.',
};

/** What a person can do about a problem. */
export function advice(problem) {
    if (ADVICE[problem.code]) {
        return ADVICE[problem.code];
    }
    if (problem.status === 401) {
        return 'Log in again. What you typed is kept.';
    }
    if (problem.status === 403) {
        return ADVICE.role_missing;
    }
    if (problem.status >= 500) {
        return 'Try again in a moment. If it stays, look into the server’s log and run “semel doctor” on the store.';
    }
    return problem.status === 0 ? ADVICE.unreachable : 'Correct what the message names, then try again.';
}
