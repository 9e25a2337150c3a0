// The operations that are protected, their policies, and the routes that lead to them.
import { html } from '../core/html.js';
import { get } from '../core/api.js';
import { bytes, duration } from '../core/format.js';
import { useLoad, useTitle } from '../core/hooks.js';
import { address } from '../core/router.js';
import { Empty, Facts, Loaded, PageHead } from '../parts/basics.js';

/** "settleWindowMs" is shown as "settle window", and its value as a duration. */
function fact([name, value]) {
    const words = name.replace(/Ms$/, '').replace(/([A-Z])/g, ' $1').toLowerCase().replace('reexecutable', 're-executable');
    if (name === 'maxWaitMs') {
        return ['a duplicate waits', value ? 'up to ' + duration(value) : 'not at all'];
    }
    if (name.startsWith('maxRe') && typeof value === 'number') {
        return [words, bytes(value)];
    }
    if (name.endsWith('Ms') && typeof value === 'number') {
        return [words, duration(value)];
    }
    if (typeof value === 'boolean') {
        return [words, value ? 'yes' : 'no'];
    }
    return [words, value !== null && typeof value === 'object' ? JSON.stringify(value) : value];
}

export function Operations() {
    useTitle('Operations');
    const found = useLoad(() => get('/operations'), []);
    return html`
        <${PageHead} title="Operations" lead="What is protected, and by which policy. Policies are set in the configuration or in code, not here." />
        <${Loaded} of=${found} what="operations">${(page) => html`
            ${!page.operations?.length && !page.routes?.length && html`
                <${Empty} title="This console does not know the operations">
                    <p>It reads the store alone. Operations and routes are known to the console inside the gateway or the application.</p>
                    <p>You can still <a href="#/records">search records</a> by the name of an operation.</p>
                <//>`}
            <div class="cards">
                ${(page.operations ?? []).map((operation) => html`
                    <section class="card">
                        <h2>${operation.name}</h2>
                        <${Facts} of=${Object.entries(operation.policy ?? {}).map(fact)} />
                        <p class="actions">
                            <a href=${address('/records', { operation: operation.name })}>records</a>
                            <a href=${address('/unknown', { operation: operation.name })}>unknown outcomes</a>
                        </p>
                    </section>`)}
            </div>
            ${page.routes?.length > 0 && html`<${Routes} routes=${page.routes} />`}`}
        <//>`;
}

const Routes = ({ routes }) => html`
    <h2>Routes</h2>
    <div class="table-box">
        <table class="list">
            <caption class="hidden">Routes</caption>
            <thead><tr><th scope="col">Requests</th><th scope="col">Operation</th><th scope="col">Policy</th></tr></thead>
            <tbody>${routes.map(({ match, operation, ...rest }) => html`
                <tr data-row tabindex="-1">
                    <td class="key"><code>${match}</code></td>
                    <td data-name="Operation">${operation ?? '–'}</td>
                    <td data-name="Policy">${Object.entries(rest).map(fact).filter(([, value]) => value !== null && value !== undefined)
                        .map(([name, value]) => `${name}: ${value}`).join(', ') || '–'}</td>
                </tr>`)}
            </tbody>
        </table>
    </div>`;
