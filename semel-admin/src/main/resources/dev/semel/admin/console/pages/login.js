// The login: by a token, or at the identity provider.
import { html, useState } from '../core/html.js';
import { post } from '../core/api.js';
import { useAction, useTitle } from '../core/hooks.js';
import { ProblemBox } from '../parts/basics.js';

export function Login({ session, onLogin }) {
    useTitle('Log in');
    const [token, setToken] = useState('');
    const login = useAction(async () => {
        await post('/login', { token: token.trim() });
        await onLogin();
    });
    const submit = (event) => {
        event.preventDefault();
        login.run();
    };
    const provider = session?.authentication === 'oidc';
    return html`
        <main class="alone">
            <form class="card" onSubmit=${submit}>
                <h1><img src="icon.svg" alt="" width="36" height="36" /> Semel console</h1>
                ${provider
                    ? html`
                        <p>Log in at your organisation’s identity provider. You come back to this page.</p>
                        <a class="button primary" href=${session.loginUrl}>Log in with your organisation</a>`
                    : html`
                        <label class="field">
                            <span>Token</span>
                            <input type="password" name="token" autocomplete="off" required value=${token} autofocus
                                onInput=${(event) => setToken(event.target.value)} />
                        </label>
                        <${ProblemBox} problem=${login.problem} />
                        <button class="primary" disabled=${login.running || !token.trim()}>Log in</button>
                        <p class="faint">An administrator issues tokens. A token names you and your role; what you do is recorded under that
                            name.</p>`}
            </form>
        </main>`;
}
