// Shared state of pages: what is loaded, what is typed, who is logged in.
import { createContext, useCallback, useContext, useEffect, useRef, useState } from './html.js';
import { draft, dropDraft, keepDraft } from './session-store.js';

/** The session of the person who looks at the console. */
export const SessionContext = createContext(null);

const RANKS = ['viewer', 'operator', 'administrator'];

export function useSession() {
    const session = useContext(SessionContext);
    const rank = RANKS.indexOf(String(session.role).toLowerCase());
    return {
        ...session,
        canOperate: !session.readOnly && rank >= 1,
        canAdminister: !session.readOnly && rank >= 2,
        maySeeBodies: rank >= 1,
    };
}

/** Loads when the dependencies change. Keeps what it showed while it loads anew, and drops answers that come too late. */
export function useLoad(load, dependencies) {
    const [state, setState] = useState({ loading: true });
    const turn = useRef(0);
    const run = useCallback((quietly) => {
        const mine = ++turn.current;
        if (!quietly) {
            setState((before) => ({ ...before, loading: true, problem: undefined }));
        }
        return load().then(
            (data) => mine === turn.current && setState({ data, loading: false }),
            (problem) => mine === turn.current && !quietly
                && setState((before) => ({ ...before, loading: false, problem })),
        );
    }, dependencies);
    useEffect(() => {
        run(false);
        return () => { turn.current++; };
    }, [run]);
    return { ...state, reload: () => run(false), refresh: () => run(true) };
}

/** What a person types, kept under a name until it is dropped, so that neither a reload nor an error loses it. */
export function useDraft(name, initial) {
    const [value, setValue] = useState(() => ({ name, typed: { ...initial, ...draft(name) } }));
    const current = value.name === name ? value.typed : { ...initial, ...draft(name) };
    const change = (part) => {
        const typed = { ...current, ...part };
        keepDraft(name, typed);
        setValue({ name, typed });
    };
    const drop = () => {
        dropDraft(name);
        setValue({ name, typed: { ...initial } });
    };
    return [current, change, drop];
}

/** An action with its progress and its problem. */
export function useAction(action) {
    const [state, setState] = useState({ running: false });
    const run = async (...parameters) => {
        setState({ running: true });
        try {
            const result = await action(...parameters);
            setState({ running: false, result });
            return result;
        } catch (problem) {
            setState({ running: false, problem });
            return undefined;
        }
    };
    return { ...state, run, clear: () => setState({ running: false }) };
}

/** Calls a function again and again while the page is visible. */
export function useEvery(milliseconds, callback) {
    const latest = useRef(callback);
    latest.current = callback;
    useEffect(() => {
        const timer = setInterval(() => document.visibilityState === 'visible' && latest.current(), milliseconds);
        return () => clearInterval(timer);
    }, [milliseconds]);
}

/** The title of the browser's tab; never a key or a scope. */
export function useTitle(title) {
    useEffect(() => {
        document.title = title + ' · Semel console';
    }, [title]);
}
