// The result of a step that an attempt recorded before its outcome became unknown: masked until a person asks for it.
import { html, useState } from '../core/html.js';
import { post } from '../core/api.js';
import { useSession } from '../core/hooks.js';
import { ResponseText } from './client-gets.js';
import { ReasonDialog } from './reason-dialog.js';

export function StepResult({ record, name, onShown }) {
    const { maySeeBodies } = useSession();
    const [asking, setAsking] = useState(false);
    const [result, setResult] = useState();
    const kept = (record.steps ?? []).some((step) => step.name === name && step.kept);
    if (!kept || !maySeeBodies) {
        return null;
    }
    const shown = (response) => {
        setResult(response);
        setAsking(false);
        onShown();
    };
    return html`
        ${result
            ? html`<${ResponseText} response=${result} />`
            : html`<button type="button" class="small" onClick=${() => setAsking(true)}>Show the result of ${name} …</button>`}
        ${asking && html`
            <${ReasonDialog} title="Show the result of a step" draftName="show-step" button="Show the result"
                example="the seat is needed for the answer; ticket 4711"
                action=${(reason) => post('/records/step', { scope: record.scope, key: record.key, fence: record.fence, step: name, reason })}
                onDone=${shown} onClose=${() => setAsking(false)}>
                <p>It may hold personal data. That you looked, and why, is added to the record’s history.</p>
            <//>`}`;
}
