// The settlement of one unknown outcome: decide, say why, see what the client will get, then record it.
import { html, useState } from '../core/html.js';
import { post } from '../core/api.js';
import { useAction, useDraft, useSession } from '../core/hooks.js';
import { referenceTo } from '../core/session-store.js';
import { verdictTitle, VERDICTS } from '../core/words.js';
import { ProblemBox } from './basics.js';
import { ClientGets } from './client-gets.js';
import { keepProposed } from './proposal.js';
import { ReasonField } from './reason-dialog.js';
import { ResponseFields, responseIn, responseProblem } from './response-fields.js';
import { VerdictChoice } from './verdict-choice.js';

const BLANK = { verdict: '', status: '', headers: 'Content-Type: application/json', body: '', reason: '' };

const EXAMPLES = {
    happened: 'charge ch_123 in the provider’s dashboard, succeeded at 02:14; ticket 4711',
    didNotHappen: 'the provider confirms that it rejected this request at 02:14; ticket 4711',
};

/** What the admin API is sent for what was typed. */
export function settlementOf(typed) {
    const happened = typed.verdict === 'happened';
    return { happened, ...(happened && { response: responseIn(typed) }) };
}

export function SettleForm({ record, onSettled, onRequeue, onNote }) {
    const { approvals } = useSession();
    const identity = { scope: record.scope, key: record.key, fence: record.fence };
    const [typed, type, drop] = useDraft('settle:' + referenceTo({ scope: record.scope, key: record.key }), BLANK);
    const [previewed, setPreviewed] = useState();
    const preview = useAction(() => post('/unknown/settle/preview', { ...identity, ...settlementOf(typed) }));
    const settle = useAction(() => post('/unknown/settle', { ...identity, ...settlementOf(typed), reason: typed.reason.trim() }));

    const decided = typed.verdict === 'happened' || typed.verdict === 'didNotHappen';
    const responseFault = typed.verdict === 'happened' ? responseProblem(typed) : undefined;
    const missing = responseFault ?? (typed.reason.trim() ? undefined : 'Write a reason: what you saw, and where.');
    const asTyped = JSON.stringify([record.fence, settlementOf(typed)]);
    const shown = preview.result && previewed === asTyped;

    const change = (part) => {
        type(part);
        settle.clear();
    };
    const showPreview = async (event) => {
        event.preventDefault();
        setPreviewed(asTyped);
        settle.clear();
        await preview.run();
        document.querySelector('[data-confirm]')?.focus();
    };
    const confirm = async () => {
        const result = await settle.run();
        if (result) {
            if (result.proposed) {
                keepProposed(record, settlementOf(typed).response);
            }
            drop();
            onSettled({ ...result, happened: typed.verdict === 'happened' });
        }
    };

    return html`
        <form class="settle" onSubmit=${showPreview} aria-label="Settle this outcome">
            <${VerdictChoice} value=${typed.verdict} onChange=${(verdict) => change({ verdict })} record=${record} />
            ${typed.verdict === 'cannotTell' && html`
                <div class="notice info">
                    <strong>Leave it unknown</strong>
                    <p>Nothing is lost: the record waits, retries are refused, nothing runs twice. Hand over to a person who can ask the
                        provider, or have the resolver look again. A note tells the next person what you saw.</p>
                    <div class="actions">
                        <button type="button" onClick=${onRequeue}>Have the resolver look again …</button>
                        <button type="button" onClick=${onNote}>Note that you looked …</button>
                    </div>
                </div>`}
            ${typed.verdict === 'happened' && html`<${ResponseFields} typed=${typed} onChange=${change} operation=${record.operation} />`}
            ${decided && html`
                <${ReasonField} value=${typed.reason} onInput=${(reason) => change({ reason })}
                    label="What did you see, and where?"
                    example=${EXAMPLES[typed.verdict]} />
                <${ProblemBox} problem=${preview.problem} />
                ${!shown && html`
                    <div class="actions">
                        <button class="primary" disabled=${Boolean(missing) || preview.running}>Preview what the client gets</button>
                        ${missing && html`<span class="faint" role="status">${missing}</span>`}
                    </div>`}
                ${shown && html`
                    <section class="preview" aria-label="Preview">
                        <h3>From then on, a retry with this key gets</h3>
                        <${ClientGets} gets=${preview.result} operation=${record.operation} />
                        ${typed.verdict === 'didNotHappen' && html`
                            <p class="notice bad slim">${VERDICTS.didNotHappen.ifWrong}</p>`}
                        <p>A settlement cannot be taken back.${approvals > 1 ? ' It is recorded as your proposal; a second person must approve it.' : ''}</p>
                        <${ProblemBox} problem=${settle.problem} />
                        <div class="actions">
                            <button type="button" data-confirm class=${typed.verdict === 'happened' ? 'primary' : 'danger'}
                                disabled=${settle.running || Boolean(missing)} onClick=${confirm}>
                                ${approvals > 1 ? 'Propose' : 'Settle'}: ${verdictTitle(typed.verdict === 'happened').toLowerCase()}
                            </button>
                            ${missing && html`<span class="faint" role="status">${missing}</span>`}
                        </div>
                    </section>`}`}
        </form>`;
}
