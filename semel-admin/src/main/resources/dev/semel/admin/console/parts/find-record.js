// Opens a record by its scope and key, where an address of another tab cannot be resolved.
import { html, useState } from '../core/html.js';
import { go, recordAddress } from '../core/router.js';
import { Empty, PageHead } from './basics.js';

export function FindRecord() {
    const [typed, setTyped] = useState({ scope: '', key: '' });
    const submit = (event) => {
        event.preventDefault();
        go(recordAddress({ scope: typed.scope.trim(), key: typed.key.trim() }));
    };
    return html`
        <${PageHead} title="Open a record" />
        <${Empty} title="This address belongs to another tab">
            <p>Addresses of the console never carry a key or a scope, so that neither ends up in a history, a log or a chat. Type both to open
                the record here.</p>
            <form onSubmit=${submit} class="row">
                <label class="field"><span>Scope</span><input required autocomplete="off" value=${typed.scope}
                    onInput=${(event) => setTyped({ ...typed, scope: event.target.value })} /></label>
                <label class="field grow"><span>Key</span><input data-search required autocomplete="off" value=${typed.key}
                    onInput=${(event) => setTyped({ ...typed, key: event.target.value })} /></label>
                <button class="primary">Open</button>
            </form>
        <//>`;
}
