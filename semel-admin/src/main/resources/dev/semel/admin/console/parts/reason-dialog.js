// A dialog that asks for a reason before an action is done.
import { html } from '../core/html.js';
import { useAction, useDraft } from '../core/hooks.js';
import { ProblemBox } from './basics.js';
import { Dialog } from './dialog.js';

/** The longest reason that the admin API takes. */
export const MAX_REASON = 400;

export function ReasonField({ value, onInput, example, label = 'Reason' }) {
    return html`
        <label class="field">
            <span>${label} <em>required, kept in the history with your name</em></span>
            <textarea rows="2" required maxlength=${MAX_REASON} name="reason" value=${value} placeholder=${example}
                onInput=${(event) => onInput(event.target.value)}></textarea>
        </label>`;
}

export function ReasonDialog({ title, draftName, example, button, danger, action, onDone, onClose, children }) {
    const [typed, type, drop] = useDraft(draftName, { reason: '' });
    const act = useAction(action);
    const submit = async (event) => {
        event.preventDefault();
        const result = await act.run(typed.reason.trim());
        if (result !== undefined) {
            drop();
            onDone(result);
        }
    };
    return html`
        <${Dialog} title=${title} onClose=${onClose}>
            <form onSubmit=${submit}>
                ${children}
                <${ReasonField} value=${typed.reason} example=${example} onInput=${(reason) => type({ reason })} />
                <${ProblemBox} problem=${act.problem} />
                <div class="actions">
                    <button class=${danger ? 'danger' : 'primary'} disabled=${act.running || !typed.reason.trim()}>${button}</button>
                    <button type="button" onClick=${onClose}>Cancel</button>
                </div>
            </form>
        <//>`;
}
