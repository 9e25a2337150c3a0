// A settlement that one person proposed and a second must approve.
import { html, useState } from '../core/html.js';
import { post } from '../core/api.js';
import { useAction, useDraft, useSession } from '../core/hooks.js';
import { referenceTo } from '../core/session-store.js';
import { verdictTitle, VERDICTS } from '../core/words.js';
import { ProblemBox, Time } from './basics.js';
import { ResponseText } from './client-gets.js';
import { ReasonField } from './reason-dialog.js';

export function Proposal({ record, onSettled, children }) {
    const { name, canOperate } = useSession();
    const { proposal } = record;
    const [differs, setDiffers] = useState(false);
    const mine = proposal.by === name;
    return html`
        <section class="proposal" aria-label="Proposal">
            <h3>${mine ? 'You propose' : `${proposal.by} proposes`}: ${verdictTitle(proposal.happened).toLowerCase()}</h3>
            <p class="faint"><${Time} at=${proposal.at} /></p>
            <blockquote>${proposal.reason}</blockquote>
            <p>${(proposal.happened ? VERDICTS.happened : VERDICTS.didNotHappen).follows}</p>
            ${proposal.response && html`<${ResponseText} response=${proposal.response} />`}
            ${mine
                ? html`<p class="notice info slim"><b>Waiting for a second person.</b> Ask another operator to open this record, to look at the
                    evidence themselves, and to approve.</p>`
                : canOperate && html`
                    <${Approval} record=${record} onSettled=${onSettled} />
                    <div class="actions"><button type="button" aria-expanded=${differs} onClick=${() => setDiffers(!differs)}>I see it differently</button></div>
                    ${differs && html`
                        <p class="notice warn slim">Two settlements that differ are both refused. Talk to ${proposal.by} first.</p>
                        ${children}`}`}
        </section>`;
}

function Approval({ record, onSettled }) {
    const { proposal } = record;
    const [typed, type, drop] = useDraft('approve:' + referenceTo({ scope: record.scope, key: record.key }), { reason: '' });
    const approve = useAction((reason) => post('/unknown/settle', {
        scope: record.scope,
        key: record.key,
        fence: record.fence,
        happened: proposal.happened,
        ...(proposal.response && { response: proposal.response }),
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
            <${ReasonField} label="What did you see, and where?" value=${typed.reason} onInput=${(reason) => type({ reason })}
                example="same charge in the bank’s export of this morning" />
            <${ProblemBox} problem=${approve.problem} />
            <div class="actions"><button class="primary" disabled=${approve.running || !typed.reason.trim()}>Approve: ${verdictTitle(proposal.happened).toLowerCase()}</button></div>
        </form>`;
}
