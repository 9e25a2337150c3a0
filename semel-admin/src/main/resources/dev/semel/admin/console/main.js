// The console: finds out who is logged in, then shows the page of the address.
import { html, render, useEffect, useErrorBoundary, useLayoutEffect, useState } from './core/html.js';
import { get, onSessionLost } from './core/api.js';
import { SessionContext } from './core/hooks.js';
import { useRoute } from './core/router.js';
import { ProblemBox } from './parts/basics.js';
import { Shell } from './parts/shell.js';
import { Login } from './pages/login.js';
import { Overview } from './pages/overview.js';
import { Unknown } from './pages/unknown.js';
import { Records } from './pages/records.js';
import { RecordPage } from './pages/record.js';
import { Misuse } from './pages/misuse.js';
import { Operations } from './pages/operations.js';
import { Settings } from './pages/settings.js';
import { Missing } from './pages/missing.js';

const PAGES = {
    '': Overview,
    unknown: Unknown,
    records: Records,
    record: RecordPage,
    misuse: Misuse,
    operations: Operations,
    settings: Settings,
};

function Page({ route }) {
    const [failure, reset] = useErrorBoundary((error) => console.error(error));
    const Content = PAGES[route.path[0] ?? ''] ?? Missing;
    // Before the page can be seen: later, it would take the focus away from a field that is typed into already.
    useLayoutEffect(() => {
        reset();
        document.querySelector('main h1')?.focus({ preventScroll: true });
    }, [route.path.join('/')]);
    if (failure) {
        return html`<${ProblemBox} onRetry=${reset} problem=${{
            status: 500,
            code: 'page_failed',
            title: 'This page could not be shown',
            detail: 'The console met an answer that it does not understand: ' + failure.message,
        }} />`;
    }
    return html`<${Content} key=${route.path.join('/')} route=${route} />`;
}

function Console() {
    const [session, setSession] = useState();
    const [problem, setProblem] = useState();
    const route = useRoute();
    const begin = () => get('/session').then(
        (found) => {
            setSession(found);
            setProblem(undefined);
        },
        setProblem,
    );
    useEffect(() => {
        begin();
        return onSessionLost(setProblem);
    }, []);
    if (problem?.status === 401 || session?.authenticated === false) {
        return html`<${Login} session=${session} onLogin=${begin} />`;
    }
    if (problem) {
        return html`<main class="alone"><h1>Semel console</h1><${ProblemBox} problem=${problem} onRetry=${begin} /></main>`;
    }
    if (!session) {
        return html`<p class="starting" role="status">Loading the console …</p>`;
    }
    return html`
        <${SessionContext.Provider} value=${session}>
            <${Shell} route=${route}><${Page} route=${route} /><//>
        <//>`;
}

const app = document.getElementById('app');
app.replaceChildren();
render(html`<${Console} />`, app);
