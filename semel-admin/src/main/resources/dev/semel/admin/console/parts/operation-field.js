// The choice of an operation: from those that are known here, or typed where they are not.
import { html } from '../core/html.js';
import { get } from '../core/api.js';
import { useLoad, useSession } from '../core/hooks.js';

export function OperationField({ value, onChange }) {
    const { operationsKnown } = useSession();
    const known = useLoad(() => (operationsKnown ? get('/operations') : Promise.resolve({ operations: [] })), []);
    const names = (known.data?.operations ?? []).map((operation) => operation.name);
    if (names.length === 0) {
        return html`
            <label class="field">
                <span>Operation</span>
                <input autocomplete="off" defaultValue=${value} value=${value} placeholder="any" onChange=${(event) => onChange(event.target.value.trim())} />
            </label>`;
    }
    const options = names.includes(value) || !value ? names : [value, ...names];
    return html`
        <label class="field">
            <span>Operation</span>
            <select value=${value} onChange=${(event) => onChange(event.target.value)}>
                <option value="" selected=${!value}>any</option>
                ${options.map((name) => html`<option value=${name} selected=${name === value}>${name}</option>`)}
            </select>
        </label>`;
}
