// All records: search, filters that are kept in the address, one page of rows at a time.
import { html, useState } from '../core/html.js';
import { post } from '../core/api.js';
import { count } from '../core/format.js';
import { useLoad, useTitle } from '../core/hooks.js';
import { address, go, recordAddress } from '../core/router.js';
import { referenceTo, referred } from '../core/session-store.js';
import { STATES } from '../core/words.js';
import { Empty, Loaded, PageHead, StateBadge, Time } from '../parts/basics.js';
import { OperationField } from '../parts/operation-field.js';
import { Pager } from '../parts/pager.js';

const AGES = {
    '': ['any time', {}],
    hour: ['in the last hour', { youngerThanMs: 3_600_000 }],
    day: ['in the last 24 hours', { youngerThanMs: 86_400_000 }],
    week: ['in the last 7 days', { youngerThanMs: 604_800_000 }],
    'older-hour': ['more than an hour ago', { olderThanMs: 3_600_000 }],
    'older-day': ['more than 24 hours ago', { olderThanMs: 86_400_000 }],
};

const NO_SEARCH = { key: '', prefix: false, scope: '' };

/** The search that an address stands for, as the admin API takes it. */
function searchOf(query) {
    const secret = referred(query.get('q')) ?? NO_SEARCH;
    const [, age] = AGES[query.get('age') ?? ''] ?? AGES[''];
    const cursors = referred(query.get('at')) ?? [];
    return {
        ...(secret.key && { [secret.prefix ? 'keyPrefix' : 'key']: secret.key }),
        ...(secret.scope && { scope: secret.scope }),
        ...(query.get('operation') && { operation: query.get('operation') }),
        ...(query.get('states') && { states: query.get('states').split(',') }),
        ...(query.get('dead') && { deadLettered: true }),
        ...age,
        limit: 50,
        ...(cursors.length && { cursor: cursors[cursors.length - 1] }),
    };
}

export function Records({ route }) {
    useTitle('Records');
    const found = useLoad(() => post('/records/search', searchOf(route.query)), [route.hash]);
    const forgotten = route.query.get('q') && !referred(route.query.get('q'));
    return html`
        <${PageHead} title="Records" lead="Everything the store holds, newest first." />
        <${Filters} key=${route.query.get('q') ?? ''} query=${route.query} />
        ${forgotten && html`<p class="notice warn slim" role="alert">Key and scope of this search belong to another tab: addresses never carry
            them. Type them again.</p>`}
        <${Loaded} of=${found} what="records">${(page) => html`
            <div class=${found.loading ? 'stale' : ''}>
                ${page.records.length ? html`<${Rows} records=${page.records} />` : html`<${Nothing} query=${route.query} />`}
                <${Pager} path="/records" query=${route.query} page=${page} />
            </div>`}
        <//>`;
}

function Filters({ query }) {
    const [typed, setTyped] = useState({ ...NO_SEARCH, ...referred(query.get('q')) });
    const type = (part) => setTyped({ ...typed, ...part });
    const filters = () => Object.fromEntries([...query].filter(([name]) => name !== 'at' && name !== 'q'));
    const show = (change, secret = typed) => go(address('/records', {
        ...filters(),
        ...change,
        q: secret.key || secret.scope ? referenceTo({ ...secret, key: secret.key.trim(), scope: secret.scope.trim() }) : undefined,
    }));
    const submit = (event) => {
        event.preventDefault();
        show({});
    };
    const states = (query.get('states') ?? '').split(',').filter(Boolean);
    const toggle = (state) => show({
        states: (states.includes(state) ? states.filter((other) => other !== state) : [...states, state]).join(','),
    });
    return html`
        <form class="card filters" role="search" onSubmit=${submit}>
            <div class="row">
                <label class="field grow">
                    <span>Key</span>
                    <input data-search type="search" autocomplete="off" spellcheck=${false} value=${typed.key}
                        placeholder="the client’s Idempotency-Key" onInput=${(event) => type({ key: event.target.value })} />
                </label>
                <label class="check"><input type="checkbox" checked=${typed.prefix}
                    onChange=${(event) => type({ prefix: event.target.checked })} /> keys that begin so</label>
                <label class="field">
                    <span>Scope</span>
                    <input autocomplete="off" spellcheck=${false} value=${typed.scope} placeholder="tenant, account or user"
                        onInput=${(event) => type({ scope: event.target.value })} />
                </label>
                <button class="primary">Search</button>
            </div>
            <div class="row">
                <${OperationField} value=${query.get('operation') ?? ''} onChange=${(operation) => show({ operation })} />
                <label class="field">
                    <span>Last attempt</span>
                    <select value=${query.get('age') ?? ''} onChange=${(event) => show({ age: event.target.value })}>
                        ${Object.entries(AGES).map(([age, [name]]) => html`
                            <option value=${age} selected=${age === (query.get('age') ?? '')}>${name}</option>`)}
                    </select>
                </label>
                <fieldset class="chips">
                    <legend>State</legend>
                    ${Object.entries(STATES).map(([state, { label }]) => html`
                        <label><input type="checkbox" checked=${states.includes(state)} onChange=${() => toggle(state)} /> ${label}</label>`)}
                    <label><input type="checkbox" checked=${Boolean(query.get('dead'))}
                        onChange=${() => show({ dead: query.get('dead') ? '' : '1' })} /> waits for a person</label>
                </fieldset>
            </div>
        </form>`;
}

const Rows = ({ records }) => html`
    <div class="table-box">
        <table class="list">
            <caption class="hidden">${count(records.length, 'record')}, newest first</caption>
            <thead><tr><th scope="col">Key</th><th scope="col">Scope</th><th scope="col">Operation</th><th scope="col">State</th><th scope="col">Last attempt</th></tr></thead>
            <tbody>
                ${records.map((record) => html`
                    <tr data-row key=${record.scope + '\n' + record.key}>
                        <td class="key"><a data-open href=${recordAddress(record)}>${record.key}</a></td>
                        <td data-name="Scope" class="clip">${record.scope}</td>
                        <td data-name="Operation">${record.operation}</td>
                        <td><${StateBadge} record=${record} /></td>
                        <td data-name="Last attempt"><${Time} at=${record.claimedAt ?? record.createdAt} /></td>
                    </tr>`)}
            </tbody>
        </table>
    </div>`;

function Nothing({ query }) {
    return [...query].length
        ? html`<${Empty} title="No record matches">
            <p>Check the key letter by letter, and the scope: a key belongs to its scope, and the same key in another scope is another record.</p>
            <p>Or <a href="#/records">remove all filters</a>. Settled records are deleted when their retention has passed.</p>
        <//>`
        : html`<${Empty} title="The store holds no records yet">
            <p>A record appears with the first request that carries an <code>Idempotency-Key</code>. Send one to your service, or start <code>semel
                demo</code> for sample traffic.</p>
        <//>`;
}
