// What surrounds every page: navigation, who is logged in, the state of the live figures.
import { html, useCallback, useState } from '../core/html.js';
import { post } from '../core/api.js';
import { useSession } from '../core/hooks.js';
import { SHORTCUTS, useShortcuts } from '../core/keyboard.js';
import { useLive } from '../core/live.js';
import { forgetAll } from '../core/session-store.js';
import { Dialog } from './dialog.js';
import { LiveState } from './live-state.js';
import { ThemeSwitch } from './theme-switch.js';

const PAGES = [
    ['', 'Overview'],
    ['unknown', 'Unknown outcomes'],
    ['records', 'Records'],
    ['misuse', 'Misused keys'],
    ['operations', 'Operations'],
    ['settings', 'Settings'],
];

export function Shell({ route, children }) {
    const [help, setHelp] = useState(false);
    const [menu, setMenu] = useState(false);
    useShortcuts(useCallback(() => setHelp(true), []));
    const live = useLive();
    const here = route.path[0] ?? '';
    const skip = (event) => {
        event.preventDefault();
        document.getElementById('main').focus();
    };
    return html`
        <a class="skip" href="#main" onClick=${skip}>Skip to the content</a>
        <div class="shell">
            <header class="side">
                <div class="brand">
                    <a href="#/"><img src="icon.svg" alt="" width="28" height="28" /> <b>Semel</b></a>
                    <${LiveState} live=${live} />
                    <button type="button" class="menu" aria-expanded=${menu} aria-controls="navigation"
                        onClick=${() => setMenu(!menu)}>Menu</button>
                </div>
                <div id="navigation" class=${menu ? 'open' : ''}>
                    <nav aria-label="Pages">
                        ${PAGES.map(([path, name]) => html`
                            <a href=${'#/' + path} aria-current=${here === path ? 'page' : undefined}
                                onClick=${() => setMenu(false)}>
                                ${name}
                                ${path === 'unknown' && live.figures?.unknown > 0
                                    && html`<span class="counter" aria-label=${live.figures.unknown + ' unknown'}>${live.figures.unknown}</span>`}
                            </a>`)}
                    </nav>
                    <${Person} onHelp=${() => setHelp(true)} />
                </div>
            </header>
            <main id="main" tabindex="-1">
                <${ReadOnly} />
                ${children}
            </main>
        </div>
        ${help && html`<${Help} onClose=${() => setHelp(false)} />`}`;
}

function Person({ onHelp }) {
    const session = useSession();
    const leave = async () => {
        try {
            await post('/logout');
        } finally {
            forgetAll();
            location.reload();
        }
    };
    return html`
        <div class="person">
            <p><b>${session.name}</b><br /><span class="faint">${session.role}${session.readOnly ? ', read-only' : ''}</span></p>
            <div class="actions">
                <${ThemeSwitch} />
                <button type="button" class="small quiet" onClick=${onHelp}>Keys</button>
                ${['token', 'oidc'].includes(session.authentication)
                    && html`<button type="button" class="small quiet" onClick=${leave}>Log out</button>`}
            </div>
        </div>`;
}

function ReadOnly() {
    const { readOnly } = useSession();
    return readOnly && html`
        <p class="notice info slim" role="note"><b>Read-only.</b> You can look at everything and change nothing. An administrator allows
            changes by starting the console with <code>--write</code>.</p>`;
}

const Help = ({ onClose }) => html`
    <${Dialog} title="Keys" onClose=${onClose}>
        <dl class="facts">${SHORTCUTS.map(([key, does]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${does}</dd></div>`)}</dl>
    <//>`;
