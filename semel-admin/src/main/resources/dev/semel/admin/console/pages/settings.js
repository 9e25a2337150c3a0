// Who you are here, how the store is, and what the doctor found.
import { html, useState } from '../core/html.js';
import { get, post } from '../core/api.js';
import { count } from '../core/format.js';
import { useLoad, useSession, useTitle } from '../core/hooks.js';
import { Facts, Loaded, PageHead } from '../parts/basics.js';
import { ReasonDialog } from '../parts/reason-dialog.js';
import { ThemeSwitch } from '../parts/theme-switch.js';

const LEVELS = { ok: ['good', 'in order'], note: ['info', 'note'], unsafe: ['bad', 'unsafe'] };
const AUTHENTICATION = {
    none: 'none: anyone who reaches this address',
    token: 'token',
    oidc: 'identity provider',
    application: 'the application’s own login',
};

export function Settings() {
    useTitle('Settings');
    const session = useSession();
    const health = useLoad(() => get('/health'), []);
    return html`
        <${PageHead} title="Settings" lead="How this console is set up, how the store is, and what the doctor found." />
        <div class="cards">
            <section class="card">
                <h2>You</h2>
                <${Facts} of=${[
                    ['Name', session.name],
                    ['Role', session.role],
                    ['Login', AUTHENTICATION[session.authentication] ?? session.authentication],
                    ['Changes', session.readOnly ? 'not allowed: read-only' : session.canOperate ? 'allowed' : 'not allowed by your role'],
                    ['Settlements', session.approvals > 1 ? 'need a second person' : 'need one person'],
                    ['Theme', html`<${ThemeSwitch} />`],
                ]} />
            </section>
            <section class="card">
                <h2>Store</h2>
                <${Loaded} of=${health} what="the store’s health">${(found) => html`
                    <${Facts} of=${[
                        ['State', html`<span class="badge good">answers</span>`],
                        ['Store', found.storeName],
                    ]} />`}
                <//>
                ${session.canAdminister && html`<${Prune} />`}
            </section>
        </div>
        <${Doctor} />`;
}

function Prune() {
    const [asking, setAsking] = useState(false);
    const [deleted, setDeleted] = useState();
    return html`
        <div class="actions">
            <button type="button" onClick=${() => setAsking(true)}>Delete expired records …</button>
            ${deleted !== undefined && html`<span role="status">${count(deleted, 'record')} deleted.</span>`}
        </div>
        ${asking && html`
            <${ReasonDialog} title="Delete expired records" draftName="prune" button="Delete" example="the disk is nearly full"
                action=${(reason) => post('/prune', { reason })} onClose=${() => setAsking(false)}
                onDone=${(result) => { setDeleted(result.deleted); setAsking(false); }}>
                <p>Only records whose retention has passed. Running and unknown ones are never deleted. Usually the pruner does this by itself.</p>
            <//>`}`;
}

function Doctor() {
    const found = useLoad(() => get('/doctor'), []);
    return html`
        <section class="card">
            <h2>Doctor</h2>
            <p>Settings of the store that decide whether an acknowledged record can be lost.</p>
            <${Loaded} of=${found} what="the doctor’s findings">${({ findings }) => findings.length === 0
                ? html`<p>The doctor found nothing to say about this store.</p>`
                : html`
                    <ul class="findings">${findings.map((finding) => html`
                        <li>
                            <span class="badge ${LEVELS[finding.level]?.[0] ?? 'calm'}">${LEVELS[finding.level]?.[1] ?? finding.level}</span>
                            <div>${finding.text}</div>
                        </li>`)}
                    </ul>`}
            <//>
        </section>`;
}
