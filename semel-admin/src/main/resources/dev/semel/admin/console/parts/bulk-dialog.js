// Several unknown outcomes at once: choose, see in a dry run what would change, then do it.
import { html, useState } from '../core/html.js';
import { post } from '../core/api.js';
import { count } from '../core/format.js';
import { useAction, useDraft, useSession } from '../core/hooks.js';
import { VERDICTS } from '../core/words.js';
import { ProblemBox } from './basics.js';
import { Dialog } from './dialog.js';
import { keepProposed } from './proposal.js';
import { ReasonField } from './reason-dialog.js';
import { ResponseFields, responseProblem } from './response-fields.js';
import { settlementOf } from './settle-form.js';
import { VerdictChoice } from './verdict-choice.js';

const BLANK = { verdict: '', status: '', headers: 'Content-Type: application/json', body: '', reason: '' };

export function BulkDialog({ action, records, onClose, onDone }) {
    const [typed, type, drop] = useDraft('bulk:' + action, BLANK);
    const [tried, setTried] = useState();
    const { approvals } = useSession();
    const settles = action === 'settle';
    const request = (dryRun) => ({
        action,
        ...(settles && settlementOf(typed)),
        records: records.map(({ scope, key, fence }) => ({ scope, key, fence })),
        reason: typed.reason.trim(),
        dryRun,
    });
    const dryRun = useAction(() => post('/unknown/bulk', request(true)));
    const run = useAction(() => post('/unknown/bulk', request(false)));
    const asTyped = JSON.stringify(request(true));
    const rehearsed = dryRun.result && tried === asTyped;
    const missing = (settles && !typed.verdict && 'Choose what happened.')
        || (settles && typed.verdict === 'happened' && responseProblem(typed))
        || (!typed.reason.trim() && 'Write a reason.');
    const rehearse = async (event) => {
        event.preventDefault();
        setTried(asTyped);
        await dryRun.run();
    };
    const confirm = async () => {
        const done = await run.run();
        if (done) {
            done.results.filter((result) => result.did?.proposed)
                .forEach((result) => keepProposed(result, settlementOf(typed).response));
            drop();
        }
    };
    const changes = rehearsed ? dryRun.result.results.filter((result) => !result.error).length : 0;
    if (run.result) {
        return html`
            <${Dialog} wide title="What was done" onClose=${onDone}>
                <${Results} results=${run.result.results} records=${records} />
                <div class="actions"><button type="button" class="primary" onClick=${onDone}>Close</button></div>
            <//>`;
    }
    return html`
        <${Dialog} wide title=${(settles ? 'Settle ' : 'Look again at ') + count(records.length, 'outcome')} onClose=${onClose}>
            <form onSubmit=${rehearse}>
                ${settles
                    ? html`
                        <p>The same answer is recorded for <b>each</b> of the selected outcomes. Settle them one by one unless the same
                            evidence covers them all, such as a provider’s statement that it rejected everything in that hour.</p>
                        <${VerdictChoice} without=${['cannotTell']} value=${typed.verdict} onChange=${(verdict) => type({ verdict })} />
                        ${typed.verdict === 'happened' && html`
                            <p class="notice warn slim">Every client gets this very response, with the same numbers in it.</p>
                            <${ResponseFields} typed=${typed} onChange=${type} />`}`
                    : html`<p>They stay unknown. The resolver starts anew with each, with all its tries.</p>`}
                <${ReasonField} value=${typed.reason} onInput=${(reason) => type({ reason })}
                    example=${settles ? 'the provider’s incident report: nothing was accepted from 02:00 to 02:20' : 'the provider’s API is back'} />
                <${ProblemBox} problem=${dryRun.problem} />
                ${rehearsed && html`
                    <h3>Dry run: this would change</h3>
                    <${Results} results=${dryRun.result.results} records=${records} plan=${planWords(action, typed, approvals)} />
                    ${settles && typed.verdict === 'didNotHappen' && html`<p class="notice bad slim"><b>The next retry of each executes its
                        operation.</b> ${VERDICTS.didNotHappen.ifWrong}</p>`}`}
                <${ProblemBox} problem=${run.problem} />
                <div class="actions">
                    ${rehearsed
                        ? html`<button type="button" data-confirm class=${settles && typed.verdict !== 'happened' ? 'danger' : 'primary'}
                            disabled=${run.running || !changes} onClick=${confirm}>${settles ? (approvals > 1 ? 'Propose for ' : 'Settle ') : 'Look again at '}${count(changes, 'outcome')}</button>`
                        : html`<button class="primary" disabled=${Boolean(missing) || dryRun.running}>Dry run</button>`}
                    <button type="button" onClick=${onClose}>Cancel</button>
                    ${missing && html`<span class="faint" role="status">${missing}</span>`}
                </div>
            </form>
        <//>`;
}

/** What was done to one record, in words. */
function doneWords(done) {
    if (done.requeued) {
        return 'the resolver looks again';
    }
    return done.proposed ? 'proposed: a second person must approve' : done.already ? 'was settled so already' : 'settled';
}

/** What would be done to one record, in words. */
function planWords(action, typed, approvals) {
    const change = action === 'requeue' ? 'stays unknown; the resolver looks again'
        : typed.verdict === 'happened' ? 'unknown → completed: retries get the response'
        : 'unknown → may run again: the next retry executes';
    return action === 'settle' && approvals > 1 ? change + ', once a second person approves' : change;
}

function Results({ results, records, plan }) {
    const operationOf = (result) => records.find((record) => record.scope === result.scope && record.key === result.key)?.operation;
    return html`
        <div class="table-box" tabindex="0" role="region" aria-label="Results">
            <table class="list">
                <thead><tr><th scope="col">Outcome</th><th scope="col">Change</th></tr></thead>
                <tbody>${results.map((result) => html`
                    <tr>
                        <td class="key">${operationOf(result)}<span class="sub mono">${result.key}</span><span class="sub">${result.scope}</span></td>
                        <td>${result.error
                            ? html`<span class="badge bad">not changed</span><span class="sub">${result.error.detail ?? result.error.code ?? result.error}</span>`
                            : html`<span class="badge ${result.did ? 'good' : 'info'}">${result.did ? doneWords(result.did) : plan}</span>`}</td>
                    </tr>`)}
                </tbody>
            </table>
        </div>`;
}
