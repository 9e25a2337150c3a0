// The login: by a token, at the identity provider, or by the application that the console runs in.
import { html, useState } from '../core/html.js';
import { post } from '../core/api.js';
import { useAction, useTitle } from '../core/hooks.js';
import { ProblemBox } from '../parts/basics.js';

/** Where the login at the identity provider begins, next to the console. */
const PROVIDER = '../login/oidc';

export function Login({ session, onLogin }) {
    useTitle('Log in');
    const Way = { oidc: ByProvider, application: ByApplication }[session?.authentication] ?? ByToken;
    return html`
        <main class="alone">
            <div class="card">
                <h1><img src="icon.svg" alt="" width="36" height="36" /> Semel console</h1>
                <${Way} onLogin=${onLogin} />
            </div>
        </main>`;
}

const ByProvider = () => html`
    <p>Log in at your organisation’s identity provider. You come back to this page.</p>
    <a class="button primary" href=${PROVIDER}>Log in with your organisation</a>`;

const ByApplication = ({ onLogin }) => html`
    <p>The application that this console belongs to does not know you, or gives you none of the roles viewer, operator and administrator.
        Log in to the application first, then come back.</p>
    <button type="button" class="primary" onClick=${onLogin}>Try again</button>`;

function ByToken({ onLogin }) {
    const [token, setToken] = useState('');
    const login = useAction(async () => {
        await post('/login', { token: token.trim() });
        await onLogin();
    });
    const submit = (event) => {
        event.preventDefault();
        login.run();
    };
    return html`
        <form onSubmit=${submit}>
            <label class="field">
                <span>Token</span>
                <input type="password" name="token" autocomplete="off" required value=${token} autofocus
                    onInput=${(event) => setToken(event.target.value)} />
            </label>
            <${ProblemBox} problem=${login.problem} />
            <button class="primary" disabled=${login.running || !token.trim()}>Log in</button>
            <p class="faint">An administrator issues tokens. A token names you and your role; what you do is recorded under that name.</p>
        </form>`;
}
