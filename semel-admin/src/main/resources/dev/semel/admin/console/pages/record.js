// One record: what is known about it, what a retry gets now, and how it came to this.
import { html, useState } from '../core/html.js';
import { post } from '../core/api.js';
import { count, duration, local, nextLook, since } from '../core/format.js';
import { lastLook, looksOf, proposalOf } from '../core/record.js';
import { useEvery, useLoad, useSession, useTitle } from '../core/hooks.js';
import { address, go } from '../core/router.js';
import { referred } from '../core/session-store.js';
import { stateOf, STATES } from '../core/words.js';
import { Copyable, Facts, Loaded, PageHead, StateBadge, Time } from '../parts/basics.js';
import { ClientGets } from '../parts/client-gets.js';
import { FindRecord } from '../parts/find-record.js';
import { Proposal } from '../parts/proposal.js';
import { ReasonDialog } from '../parts/reason-dialog.js';
import { RecordedResponse } from '../parts/recorded-response.js';
import { SettleForm } from '../parts/settle-form.js';
import { StepResult } from '../parts/step-result.js';
import { Settled } from '../parts/settled.js';
import { Replays, Timeline } from '../parts/timeline.js';

export function RecordPage({ route }) {
    useTitle('Record');
    const identity = referred(route.path[1]);
    return identity ? html`<${Known} identity=${identity} />` : html`<${FindRecord} />`;
}

function Known({ identity }) {
    const found = useLoad(() => post('/records/get', identity), [identity.scope, identity.key]);
    useEvery(5000, found.refresh);
    return html`<${Loaded} of=${found} what="the record">${(record) => html`<${Details} record=${record} reload=${found.reload} />`}<//>`;
}

const toSettlement = () => document.querySelector('.settle-card h2')?.focus();

function Details({ record, reload }) {
    const session = useSession();
    const [settled, setSettled] = useState();
    const [dialog, setDialog] = useState();
    const [seen] = useState(record.fence + record.state);
    const state = stateOf(record);
    const unknown = record.state === 'unknown';
    const changed = !settled && seen !== record.fence + record.state;
    const done = (result) => {
        setSettled(result);
        setDialog(undefined);
        reload();
    };
    return html`
        <p class="crumbs"><a href=${unknown ? '#/unknown' : '#/records'}>‹ ${unknown ? 'Unknown outcomes' : 'Records'}</a></p>
        <${PageHead} title=${record.operation} />
        ${changed && html`<p class="notice warn" role="alert"><b>This record changed while you looked at it.</b> It is now
            “${state.label}”. The history below shows who changed it and why.</p>`}
        <section class="card summary">
            <p class="state-line"><${StateBadge} record=${record} /> ${state.means}
                ${unknown && html` <button type="button" class="small jump" onClick=${toSettlement}>Go to the settlement ↓</button>`}</p>
            <${RecordFacts} record=${record} />
        </section>
        <div class="columns">
            <div>
                <section class="card">
                    <h2>History</h2>
                    ${record.audit?.length ? html`<${Timeline} audit=${record.audit}
                        stepOf=${unknown && ((entry) => html`<${StepResult} record=${record} name=${entry.detail} onShown=${reload} />`)} />` : html`<p>This store kept no history of the record.</p>`}
                    ${['completed', 'expired'].includes(record.state) && html`<${Replays} replays=${record.replays} />`}
                </section>
                ${unknown && html`<${RetryGets} record=${record} />`}
            </div>
            <div>
                ${settled && html`<${Settled} result=${settled} record=${record} />`}
                ${unknown && !settled?.settled && html`
                    <${SettleCard} record=${record} onSettled=${done} onRequeue=${() => setDialog('requeue')} onNote=${() => setDialog('note')} />`}
                ${!unknown && html`<${RetryGets} record=${record} />`}
                ${record.response && html`<${RecordedResponse} record=${record} onShown=${reload} />`}
                ${session.canAdminister && !unknown && record.state !== 'in_progress' && html`
                    <p class="actions end"><button type="button" class="small quiet" onClick=${() => setDialog('forget')}>Forget this record …</button></p>`}
            </div>
        </div>
        ${dialog === 'requeue' && html`<${RequeueDialog} record=${record} onDone=${() => done({ requeued: true })} onClose=${() => setDialog(undefined)} />`}
        ${dialog === 'note' && html`<${NoteDialog} record=${record} onDone=${() => done({ noted: true })} onClose=${() => setDialog(undefined)} />`}
        ${dialog === 'forget' && html`<${ForgetDialog} record=${record} onClose=${() => setDialog(undefined)} />`}`;
}

const RetryGets = ({ record }) => html`
    <section class="card">
        <h2>What a retry gets now</h2>
        ${record.retryGets ? html`<${ClientGets} gets=${record.retryGets} operation=${record.operation} masked />` : html`<p>${STATES[record.state]?.means}</p>`}
    </section>`;

function RecordFacts({ record }) {
    const unknown = record.state === 'unknown';
    return html`
        <${Facts} of=${[
            ['Key', html`<${Copyable} text=${record.key} label="the key" />`],
            ['Scope', html`<${Copyable} text=${record.scope} label="the scope" />`],
            ['Request', record.request && html`<code>${record.request}</code>`],
            ['Created', html`<${Time} at=${record.createdAt} exact /> (${duration(since(record.createdAt))} ago)`],
            unknown && ['Unknown for', record.unknownSince && duration(since(record.unknownSince))],
            unknown && ['The resolver looked', looksOf(record) ? count(looksOf(record), 'time') : 'not yet'],
            unknown && ['It last said', lastLook(record)?.said],
            unknown && ['Next', record.nextLookAt ? `the resolver ${nextLook(record.nextLookAt)}` : 'the resolver is not asked again; a person must settle it'],
            ['Lease until', record.leaseUntil && html`<${Time} at=${record.leaseUntil} exact />`],
            ['Kept until', record.expiresAt && html`<${Time} at=${record.expiresAt} exact />`],
        ]} />
        <details>
            <summary>More</summary>
            <${Facts} of=${[
                ['Attempt', record.attempt],
                ['Fence', record.fence],
                ['Holder', record.holder && html`<code>${record.holder}</code>`],
                ['Steps recorded', record.steps?.length ? record.steps.map((step) => step.name ?? step).join(', ') : undefined],
                ['Last change', html`<${Time} at=${record.updatedAt} exact />`],
                ['Fingerprint', record.fingerprint && html`<code>${record.fingerprint}</code>`],
            ]} />
        </details>`;
}

function SettleCard({ record, onSettled, onRequeue, onNote }) {
    const session = useSession();
    const proposal = proposalOf(record);
    const form = html`<${SettleForm} record=${record} onSettled=${onSettled} onRequeue=${onRequeue} onNote=${onNote} />`;
    return html`
        <section class="card settle-card">
            <h2 tabindex="-1">Settle this outcome</h2>
            <p>An attempt at <b>${record.operation}</b> was lost, and the record does not show whether it took effect. Until it is settled,
                every retry is refused and nothing runs twice, so <b>there is time to look</b>.
                At the provider, search for the time of the attempt (${local(record.claimedAt ?? record.createdAt)}) and for what the request was
                about: the key, the order, the amount.</p>
            ${session.canOperate || proposal
                ? null
                : html`<p class="notice info slim">${session.readOnly ? 'This console is read-only.' : 'Your role is viewer: an operator can settle this.'}</p>`}
            ${proposal
                ? html`<${Proposal} record=${record} proposal=${proposal} onSettled=${onSettled}>${form}<//>`
                : session.canOperate && form}
        </section>`;
}

const RequeueDialog = ({ record, onDone, onClose }) => html`
    <${ReasonDialog} title="Have the resolver look again" draftName="requeue" button="Look again" example="the provider’s API is back"
        action=${(reason) => post('/unknown/requeue', { scope: record.scope, key: record.key, fence: record.fence, reason })}
        onDone=${onDone} onClose=${onClose}>
        <p>The outcome stays unknown. The resolver starts anew, with all its tries, as soon as the reconciler runs.</p>
    <//>`;

const NoteDialog = ({ record, onDone, onClose }) => html`
    <${ReasonDialog} title="Note that you looked" draftName="note" button="Write the note" example="the bank decides tomorrow; ticket 4711"
        action=${(reason) => post('/unknown/note', { scope: record.scope, key: record.key, fence: record.fence, reason })}
        onDone=${onDone} onClose=${onClose}>
        <p>The outcome stays unknown. The queue and the history show your note to the next person.</p>
    <//>`;

const ForgetDialog = ({ record, onClose }) => html`
    <${ReasonDialog} title="Forget this record" draftName="forget" danger button="Forget the record"
        example="erasure request of the customer; ticket 4711"
        action=${(reason) => post('/records/forget', { scope: record.scope, key: record.key, fence: record.fence, reason })}
        onDone=${() => go(address('/records'))} onClose=${onClose}>
        <p class="notice bad slim"><b>A retry with this key executes the operation again.</b> After this, the store does not know that it ever
            ran.</p>
    <//>`;
