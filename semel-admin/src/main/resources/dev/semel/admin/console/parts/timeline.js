// The history of a record, from its claim to its settlement, with what each entry means.
import { html } from '../core/html.js';
import { count, duration } from '../core/format.js';
import { actorWords, proposalIn } from '../core/record.js';
import { entryWords, reasonWords, verdictTitle } from '../core/words.js';
import { Time } from './basics.js';

/** Entries that begin an attempt, and those that an attempt itself writes, under a random name. */
const BEGINS = ['granted', 'taken_over'];
const HELD = [...BEGINS, 'step', 'settled'];

/** More than this many looks in a row without news are folded. */
const FOLDED = 3;

/** Joins looks that said the same, one after the other: thirty equal lines hide the one that differs. */
export function folded(audit) {
    const groups = [];
    for (const entry of audit) {
        const last = groups[groups.length - 1];
        if (last && entry.kind === 'rescheduled' && last.entry.kind === 'rescheduled' && last.entry.detail === entry.detail) {
            last.more.push(entry);
        } else {
            groups.push({ entry, more: [] });
        }
    }
    return groups.flatMap((group) => group.more.length + 1 > FOLDED
        ? [group]
        : [group.entry, ...group.more].map((entry) => ({ entry, more: [] })));
}

/** Ends a history that a client may have read again: a replay writes nothing, so that only the process that gave it knows of it. */
export function Replays({ replays }) {
    if (!replays) {
        return html`<p class="faint replays">Replays are not stored: a replay writes nothing. They are counted where requests pass: in the console
            inside the gateway or the application, and by the metric <code>api.idempotency.reserve.replay</code>.</p>`;
    }
    return replays.count === 0
        ? html`<p class="faint replays">No replay since this process started. Replays are not stored: a replay writes nothing.</p>`
        : html`<p class="replays"><b>Replayed ${count(replays.count, 'time')}</b> since this process started: first <${Time} at=${replays.first} exact />,
            last <${Time} at=${replays.last} exact />. <span class="faint">Replays are not stored: a replay writes nothing.</span></p>`;
}

/** @param stepOf what is shown below a recorded step; false where its result is not kept */
export function Timeline({ audit, stepOf }) {
    const fences = new Set(audit.map((entry) => entry.fence));
    return html`
        <ol class="timeline">
            ${folded(audit).map(({ entry, more }, index, all) => html`
                <${Entry} entry=${entry} more=${more} before=${index ? all[index - 1].entry : undefined} showFence=${fences.size > 1} stepOf=${stepOf} />`)}
        </ol>`;
}

function Entry({ entry, more, before, showFence, stepOf }) {
    const [title, tone, means] = entryWords(entry);
    const gap = before && new Date(entry.at) - new Date(before.at);
    const last = more[more.length - 1];
    const proposal = entry.kind === 'proposed' ? proposalIn(entry) : undefined;
    const detail = proposal ? `${verdictTitle(proposal.happened)}: ${proposal.reason}` : reasonWords(entry.detail);
    return html`
        <li class=${tone}>
            <p class="when"><${Time} at=${entry.at} exact />${gap > 0 && html` <span class="faint">+ ${duration(gap)}</span>`}</p>
            <p class="what"><b>${title}${entry.kind === 'step' && entry.detail ? `: ${entry.detail}` : ''}</b>
                ${more.length > 0 && html` <span class="badge calm">${more.length + 1} times, last <${Time} at=${last.at} /></span>`}</p>
            ${detail && entry.kind !== 'step' && html`<blockquote>${detail}</blockquote>`}
            ${BEGINS.includes(entry.kind) && entry.request && html`<p>Request: <code>${entry.request}</code></p>`}
            ${means && html`<p class="means">${means}</p>`}
            ${entry.kind === 'step' && stepOf && stepOf(entry)}
            <p class="faint">by ${HELD.includes(entry.kind) ? `attempt ${String(entry.by).slice(0, 8)}` : actorWords(entry.by)}${showFence ? ` · fence ${entry.fence}` : ''}</p>
        </li>`;
}
