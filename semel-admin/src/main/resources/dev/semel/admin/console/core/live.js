// The live figures: one stream for all pages, reconnected with growing pauses, and the last minutes of its values.
import { useEffect, useState } from './html.js';
import { apiUrl, get } from './api.js';

/** Five minutes at one event a second. */
const KEPT = 300;
const PAUSES = [1000, 2000, 5000, 10_000];
/** The stream sends every second: silence of that length means a cut that the browser has not noticed. */
const SILENCE = 8000;

const listeners = new Set();
let source;
let timer;
let failures = 0;
let state = { connection: 'connecting', history: [] };

function publish(change) {
    state = { ...state, ...change };
    listeners.forEach((listener) => listener(state));
}

function received(figures) {
    failures = 0;
    publish({
        connection: 'live',
        cutAt: undefined,
        figures,
        history: [...state.history, figures].slice(-KEPT),
    });
    watch(SILENCE, cut);
}

function watch(milliseconds, callback) {
    clearTimeout(timer);
    timer = setTimeout(callback, milliseconds);
}

function connect() {
    source?.close();
    source = new EventSource(apiUrl('/figures/stream'));
    source.addEventListener('figures', (event) => received(JSON.parse(event.data)));
    source.onerror = cut;
    watch(SILENCE, cut);
}

function cut() {
    source?.close();
    const pause = PAUSES[Math.min(failures++, PAUSES.length - 1)];
    publish({ connection: 'cut', cutAt: state.cutAt ?? Date.now() });
    watch(pause, connect);
    // An answer of 401 cannot be seen on the stream; this call reports the end of the login.
    get('/figures').then((figures) => state.connection === 'cut' && publish({ figures }), () => {});
}

function stop() {
    source?.close();
    clearTimeout(timer);
    source = undefined;
    failures = 0;
    publish({ connection: 'connecting', cutAt: undefined });
}

export const reconnect = connect;

/** The state of the stream: connection, cutAt, the newest figures, and the history of the last minutes. */
export function useLive() {
    const [current, setCurrent] = useState(state);
    useEffect(() => {
        listeners.add(setCurrent);
        if (listeners.size === 1) {
            connect();
        }
        setCurrent(state);
        return () => {
            listeners.delete(setCurrent);
            if (listeners.size === 0) {
                stop();
            }
        };
    }, []);
    return current;
}
