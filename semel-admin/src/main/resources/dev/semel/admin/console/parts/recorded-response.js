// The recorded response of a record: its body is masked until a person asks for it with a reason.
import { html, useState } from '../core/html.js';
import { post } from '../core/api.js';
import { useSession } from '../core/hooks.js';
import { ResponseText } from './client-gets.js';
import { ReasonDialog } from './reason-dialog.js';

export function RecordedResponse({ record, onShown }) {
    const { maySeeBodies } = useSession();
    const [asking, setAsking] = useState(false);
    const [full, setFull] = useState();
    const shown = (response) => {
        setFull(response);
        setAsking(false);
        onShown();
    };
    if (record.response.sealed) {
        return html`
            <section class="card">
                <h2>Recorded response</h2>
                <p class="notice info slim">It cannot be opened here: ${record.response.sealed}. Clients get it as before, from the processes that
                    have the key. A console of its own takes it with <code>--encryption-keys-file</code>.</p>
            </section>`;
    }
    return html`
        <section class="card">
            <h2>Recorded response</h2>
            <${ResponseText} response=${full ?? record.response} masked=${!full} />
            ${full && full.status === undefined && html`
                <p class="hint">This is no HTTP response: the application recorded it in a form of its own, and replays it itself.</p>`}
            <div class="actions">
                ${full
                    ? html`<button type="button" onClick=${() => setFull(undefined)}>Hide the body</button>`
                    : maySeeBodies
                        ? html`<button type="button" onClick=${() => setAsking(true)}>Show the body …</button>`
                        : html`<span class="faint">Operators may see the body.</span>`}
            </div>
            ${asking && html`
                <${ReasonDialog} title="Show the recorded body" draftName="show-response" button="Show the body"
                    example="the client asks for its receipt; ticket 4711"
                    action=${(reason) => post('/records/response', { scope: record.scope, key: record.key, fence: record.fence, reason })}
                    onDone=${shown} onClose=${() => setAsking(false)}>
                    <p>It may hold personal data. That you looked, and why, is added to the record’s history.</p>
                <//>`}
        </section>`;
}
