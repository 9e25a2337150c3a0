// A settlement that one person proposed and a second must approve.
import { html, useState } from '../core/html.js';
import { post } from '../core/api.js';
import { useAction, useDraft, useSession } from '../core/hooks.js';
import { draft, keepDraft, referenceTo } from '../core/session-store.js';
import { verdictTitle, VERDICTS } from '../core/words.js';
import { Copyable, ProblemBox, Time } from './basics.js';
import { ResponseText } from './client-gets.js';
import { ReasonField } from './reason-dialog.js';

export function Proposal({ record, proposal, onSettled, children }) {
    const { name, canOperate } = useSession();
    const [differs, setDiffers] = useState(false);
    const mine = proposal.by.toLowerCase() === String(name).toLowerCase();
    return html`
        <section class="proposal" aria-label="Proposal">
            <h3>${mine ? 'You propose' : `${proposal.by} proposes`}: ${verdictTitle(proposal.happened).toLowerCase()}</h3>
            <p class="faint"><${Time} at=${proposal.at} /></p>
            <blockquote>${proposal.reason}</blockquote>
            <p>${proposal.happened ? 'Nothing would be executed again. Every retry would get the proposed response.' : VERDICTS.didNotHappen.follows}</p>
            ${mine
                ? html`<${Handover} record=${record} />
                    <p class="notice info slim"><b>Waiting for a second person.</b> Ask another operator to open this record, to look at the
                    evidence themselves, and to approve.</p>`
                : canOperate && html`
                    <${Approval} record=${record} proposal=${proposal} onSettled=${onSettled} />
                    <div class="actions"><button type="button" aria-expanded=${differs} onClick=${() => setDiffers(!differs)}>I see it differently</button></div>
                    ${differs && html`
                        <p class="notice warn slim">Two settlements that differ are both refused. Talk to ${proposal.by} first.</p>
                        ${children}`}`}
        </section>`;
}

const proposedName = ({ scope, key }) => 'proposed:' + referenceTo({ scope, key });

/** Keeps the response of a proposal in this tab: the store has only its digest until it is approved. */
export const keepProposed = (record, response) => response && keepDraft(proposedName(record), response);

function Handover({ record }) {
    const response = draft(proposedName(record));
    return response && html`
        <${ResponseText} response=${response} />
        <p>The store keeps this response only when it is approved. Hand it to the second person as this text:</p>
        <${Copyable} text=${JSON.stringify(response)} label="the response" />`;
}

/** The response in the text that the first person handed over; undefined when it is none. */
function handedOver(text) {
    try {
        const { status, headers, body } = JSON.parse(text);
        return Number.isInteger(status) && Array.isArray(headers) ? { status, headers, ...(body && { body }) } : undefined;
    } catch (notJson) {
        return undefined;
    }
}

function Approval({ record, proposal, onSettled }) {
    const [typed, type, drop] = useDraft(
        'approve:' + referenceTo({ scope: record.scope, key: record.key }),
        { reason: '', handover: '' },
    );
    const response = proposal.happened ? handedOver(typed.handover) : undefined;
    const ready = typed.reason.trim() && (response || !proposal.happened);
    const approve = useAction((reason) => post('/unknown/settle', {
        scope: record.scope,
        key: record.key,
        fence: record.fence,
        happened: proposal.happened,
        ...(response && { response }),
        reason,
    }));
    const submit = async (event) => {
        event.preventDefault();
        const result = await approve.run(typed.reason.trim());
        if (result) {
            drop();
            onSettled({ ...result, happened: proposal.happened });
        }
    };
    return html`
        <form onSubmit=${submit} aria-label="Approve the proposal">
            <p>Approve only what you have seen yourself: the second look is what protects the client.</p>
            ${proposal.happened && html`
                <label class="field"><span>The response <em>paste the text that ${proposal.by} hands you; it is compared with the proposal</em></span>
                    <textarea rows="3" name="handover" class="mono" spellcheck=${false} value=${typed.handover} placeholder=${'{"status":201,"headers":[],"body":"…"}'}
                        onInput=${(event) => type({ handover: event.target.value })}></textarea></label>
                ${typed.handover && !response && html`<p class="hint" role="status">This is not the whole text: it begins with {"status" and ends with }.</p>`}`}
            ${response && html`<h3>Every retry would get</h3><${ResponseText} response=${response} />`}
            <${ReasonField} label="What did you see, and where?" value=${typed.reason} onInput=${(reason) => type({ reason })}
                example="same charge in the bank’s export of this morning" />
            <${ProblemBox} problem=${approve.problem} />
            <div class="actions"><button class="primary" disabled=${approve.running || !ready}>Approve: ${verdictTitle(proposal.happened).toLowerCase()}</button></div>
        </form>`;
}
