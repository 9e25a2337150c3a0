// The queue of unknown outcomes, oldest first.
import { html, useState } from '../core/html.js';
import { post } from '../core/api.js';
import { count, duration, nextLook, since } from '../core/format.js';
import { useLoad, useSession, useTitle } from '../core/hooks.js';
import { actorWords } from '../core/record.js';
import { address, go, recordAddress } from '../core/router.js';
import { referred } from '../core/session-store.js';
import { verdictTitle } from '../core/words.js';
import { Empty, Loaded, PageHead, StateBadge, Time } from '../parts/basics.js';
import { BulkDialog } from '../parts/bulk-dialog.js';
import { OperationField } from '../parts/operation-field.js';
import { Pager } from '../parts/pager.js';

const idOf = (record) => record.scope + '\n' + record.key;

function searchOf(query) {
    const cursors = referred(query.get('at')) ?? [];
    return {
        ...(query.get('operation') && { operation: query.get('operation') }),
        ...(query.get('dead') && { deadLettered: true }),
        limit: 50,
        ...(cursors.length && { cursor: cursors[cursors.length - 1] }),
    };
}

export function Unknown({ route }) {
    useTitle('Unknown outcomes');
    const { query } = route;
    const { canOperate } = useSession();
    const [chosen, setChosen] = useState(new Map());
    const [bulk, setBulk] = useState();
    const found = useLoad(() => {
        setChosen(new Map());
        return post('/unknown/search', searchOf(query));
    }, [route.hash]);
    const filter = (change) => go(address('/unknown', {
        operation: query.get('operation'),
        dead: query.get('dead'),
        ...change,
    }));
    const finished = () => {
        setBulk(undefined);
        found.reload();
    };
    return html`
        <${PageHead} title="Unknown outcomes" lead="An attempt was lost, and it is not known whether it took effect. Its client is refused until
            the outcome is settled: by the resolver, or here. Oldest first.">
            <button type="button" onClick=${found.reload}>Refresh</button>
        <//>
        <div class="card filters row">
            <${OperationField} value=${query.get('operation') ?? ''} onChange=${(operation) => filter({ operation })} />
            <label class="check"><input type="checkbox" data-search checked=${Boolean(query.get('dead'))}
                onChange=${(event) => filter({ dead: event.target.checked ? '1' : '' })} /> only those that wait for a person</label>
        </div>
        <${Loaded} of=${found} what="unknown outcomes">${(page) => page.records.length === 0
            ? html`<${Nothing} filtered=${query.get('operation') || query.get('dead')} />`
            : html`
                ${canOperate && html`<${BulkBar} records=${page.records} chosen=${chosen} onChoose=${setChosen} onBulk=${setBulk} />`}
                <${Queue} records=${page.records} chosen=${chosen} onChoose=${setChosen} canOperate=${canOperate} />
                <${Pager} path="/unknown" query=${query} page=${page} />`}
        <//>
        ${bulk && html`<${BulkDialog} action=${bulk} records=${[...chosen.values()]} onClose=${() => setBulk(undefined)} onDone=${finished} />`}`;
}

function BulkBar({ records, chosen, onChoose, onBulk }) {
    const all = records.every((record) => chosen.has(idOf(record)));
    const toggleAll = () => onChoose(all ? new Map() : new Map(records.map((record) => [idOf(record), record])));
    return html`
        <div class="bulk-bar ${chosen.size ? 'active' : ''}">
            <label class="check"><input type="checkbox" checked=${all} onChange=${toggleAll} /> Select all on this page</label>
            <button type="button" disabled=${!chosen.size} onClick=${() => onBulk('requeue')}>Look again …</button>
            <button type="button" disabled=${!chosen.size} onClick=${() => onBulk('settle')}>Settle together …</button>
            <span role="status">${chosen.size ? count(chosen.size, 'outcome') + ' selected' : ''}</span>
        </div>`;
}

function Queue({ records, chosen, onChoose, canOperate }) {
    const toggle = (record) => {
        const next = new Map(chosen);
        if (!next.delete(idOf(record))) {
            next.set(idOf(record), record);
        }
        onChoose(next);
    };
    return html`
        <div class="table-box">
            <table class="list queue">
                <caption class="hidden">${count(records.length, 'unknown outcome')}, oldest first</caption>
                <thead><tr>
                    ${canOperate && html`<th scope="col" class="select"><span class="hidden">Select</span></th>`}
                    <th scope="col">Unknown for</th><th scope="col">Operation and key</th><th scope="col">What the resolver last said</th>
                    <th scope="col">Evidence</th>
                </tr></thead>
                <tbody>${records.map((record) => html`
                    <tr data-row key=${idOf(record)} class=${chosen.has(idOf(record)) ? 'chosen' : ''}>
                        ${canOperate && html`<td class="select"><input type="checkbox" aria-label=${'Select ' + record.operation + ' ' + record.key}
                            checked=${chosen.has(idOf(record))} onChange=${() => toggle(record)} /></td>`}
                        <td data-name="Unknown for"><b>${duration(since(record.unknownSince ?? record.updatedAt))}</b>
                            ${record.deadLettered && html`<div><${StateBadge} record=${record} /></div>`}
                            ${record.proposal && html`<div><span class="badge info">proposed</span>
                                <span class="sub">${record.proposal.by} proposes: ${verdictTitle(record.proposal.verdict === 'happened').toLowerCase()}</span></div>`}</td>
                        <td class="key"><a data-open href=${recordAddress(record)}>${record.operation}<span class="sub mono">${record.key}</span></a>
                            <span class="sub">${record.scope}</span></td>
                        <td data-name="Resolver">${record.lastLook
                            ? html`<span class="said">${record.lastLook.said}</span><span class="sub">said <${Time} at=${record.lastLook.at} /></span>`
                            : html`<span class="faint">has not looked yet</span>`}
                            ${record.lastNote && html`<span class="sub">${actorWords(record.lastNote.by)} looked <${Time} at=${record.lastNote.at} />: ${record.lastNote.said}</span>`}
                            ${record.nextLookAt && html`<span class="sub">${nextLook(record.nextLookAt)}</span>`}</td>
                        <td data-name="Evidence">${record.evidenceCount ? count(record.evidenceCount, 'look') : 'none yet'}</td>
                    </tr>`)}
                </tbody>
            </table>
        </div>`;
}

const Nothing = ({ filtered }) => (filtered
    ? html`<${Empty} title="No unknown outcome matches"><p><a href="#/unknown">Show all unknown outcomes</a>.</p><//>`
    : html`<${Empty} title="No outcome is unknown">
        <p>There is nothing to settle. An outcome appears here when a process died, a provider timed out, or an answer could not be
            recorded; the resolver looks first, and what it cannot find out waits here for you.</p>
    <//>`);
