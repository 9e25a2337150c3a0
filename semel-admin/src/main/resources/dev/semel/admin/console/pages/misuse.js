// Keys that came with another request than the first time.
import { html } from '../core/html.js';
import { get } from '../core/api.js';
import { useLoad, useTitle } from '../core/hooks.js';
import { whole } from '../core/format.js';
import { Empty, Loaded, PageHead, Time } from '../parts/basics.js';

export function Misuse() {
    useTitle('Misused keys');
    const found = useLoad(() => get('/misuse'), []);
    return html`
        <${PageHead} title="Misused keys" lead="A client sent a key again with another request. It was refused, and nothing was executed. Most
            often the client makes its keys from too little, such as a date or a user, or keeps one for several intents.">
            <button type="button" onClick=${found.reload}>Refresh</button>
        <//>
        <${Loaded} of=${found} what="misused keys">${(page) => page.available === false
            ? html`<${Empty} title="Misuse is not seen from here">
                <p>A store does not record it: a refused request changes nothing. It is counted where requests pass, with the scope, the operation,
                    how often, first and last: look at the console inside the gateway or the application, at <code>semel misuse
                    --server URL</code>, or at the metric <code>api.idempotency.reserve.key_misuse</code>.</p><//>`
            : page.misuses.length === 0
                ? html`<${Empty} title="No key was misused"><p>Each key that was repeated came with the same request. This process remembers since its
                    start.</p><//>`
                : html`<${Rows} misuses=${page.misuses} />`}
        <//>`;
}

const Rows = ({ misuses }) => html`
    <div class="table-box">
        <table class="list">
            <caption class="hidden">Misused keys</caption>
            <thead><tr><th scope="col">Scope</th><th scope="col">Operation</th><th scope="col">Key (digest)</th><th scope="col">Times</th><th scope="col">First</th><th scope="col">Last</th></tr></thead>
            <tbody>${misuses.map((misuse) => html`
                <tr data-row tabindex="-1">
                    <td class="key">${misuse.scope}</td>
                    <td data-name="Operation">${misuse.operation}</td>
                    <td data-name="Key"><code>${misuse.keyDigest}</code></td>
                    <td data-name="Times"><b>${whole(misuse.count)}</b></td>
                    <td data-name="First"><${Time} at=${misuse.first} /></td>
                    <td data-name="Last"><${Time} at=${misuse.last} /></td>
                </tr>`)}
            </tbody>
        </table>
    </div>`;
