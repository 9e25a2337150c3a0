// The overview: what waits for a person, and how the service does right now.
import { html } from '../core/html.js';
import { duration, measure, percent, whole } from '../core/format.js';
import { useTitle } from '../core/hooks.js';
import { useLive } from '../core/live.js';
import { Loading, PageHead, ProblemBox } from '../parts/basics.js';
import { Chart } from '../parts/chart.js';
import { LiveCut } from '../parts/live-state.js';

const OUTCOMES = [
    { name: 'executed', value: ({ rates }) => rates && (rates.created ?? 0) + (rates.retried ?? 0) },
    { name: 'replayed', value: ({ rates }) => rates?.replay },
    { name: 'refused: in progress', value: ({ rates }) => rates?.inProgress },
    { name: 'refused: key misused', value: ({ rates }) => rates?.misuse },
    { name: 'refused: outcome unknown', value: ({ rates }) => rates?.unknown },
];

const LATENCIES = [
    { name: 'claim, median', value: (figures) => figures.claimMs?.p50 },
    { name: 'claim, 99th percentile', value: (figures) => figures.claimMs?.p99 },
    { name: 'settle, median', value: (figures) => figures.settleMs?.p50 },
    { name: 'settle, 99th percentile', value: (figures) => figures.settleMs?.p99 },
];

const WAITING = [
    { name: 'unknown', value: (figures) => figures.unknown },
    { name: 'waiting for a person', value: (figures) => figures.deadLetters },
];

export function Overview() {
    useTitle('Overview');
    const live = useLive();
    const figures = live.figures;
    return html`
        <${PageHead} title="Overview" lead="What waits for a person, and how the service does right now." />
        <${LiveCut} live=${live} />
        ${!figures && live.connection !== 'cut' && html`<${Loading} what="the figures" />`}
        ${figures?.storeProblem && html`<${ProblemBox} problem=${{
            status: 503,
            code: 'store_unavailable',
            title: 'The store does not answer',
            detail: figures.storeProblem,
        }} />`}
        ${figures && !figures.storeProblem && html`
            <${Attention} figures=${figures} />
            <${Tiles} figures=${figures} />
            ${figures.rates === null || figures.rates === undefined
                ? html`<p class="notice info slim">No traffic passes through this process, so there are no rates and latencies here. They are
                    shown by the console inside the gateway or the application, and by your metrics.</p>`
                : html`<div class="charts">
                    <${Chart} title="Requests per second, by outcome" history=${live.history} series=${OUTCOMES} />
                    <${Chart} title="Latency of the store" history=${live.history} series=${LATENCIES} unit="ms" />
                </div>`}
            <${Chart} title="Outcomes that are unknown" history=${live.history} series=${WAITING} />`}`;
}

function Attention({ figures }) {
    const { unknown, deadLetters, oldestUnknownMs, countsStopAt } = figures;
    if (!unknown) {
        return html`
            <section class="notice good attention">
                <div><strong>Nothing waits for you</strong><p>No outcome is unknown. Every request ended with an answer that its retries get, too.</p></div>
            </section>`;
    }
    const one = unknown === 1;
    return html`
        <section class="notice ${deadLetters ? 'bad' : 'warn'} attention">
            <div>
                <strong>${whole(unknown)}${unknown >= countsStopAt ? ' or more' : ''} ${one ? 'outcome is' : 'outcomes are'} unknown${deadLetters
                    ? `, ${whole(deadLetters)} of them ${deadLetters === 1 ? 'waits' : 'wait'} for a person` : ''}</strong>
                <p>The oldest for ${duration(oldestUnknownMs)}. ${one ? 'Its client is' : 'Their clients are'} refused until it is known whether
                    ${one ? ' it' : ' they'} happened. ${deadLetters ? 'The resolver gave up on those that wait for a person.' : 'The resolver is still looking.'}</p>
            </div>
            <a class="button primary" href="#/unknown">Settle unknown outcomes</a>
        </section>`;
}

function Tiles({ figures }) {
    const counted = (number) => measure(number) + (number >= figures.countsStopAt ? '+' : '');
    const tiles = [
        ['In progress', counted(figures.inProgress), 'attempts that hold a lease'],
        ['Unknown', counted(figures.unknown), 'may or may not have happened'],
        ['Wait for a person', counted(figures.deadLetters), 'the resolver gave up'],
        ['Oldest unknown', figures.unknown ? duration(figures.oldestUnknownMs) : '–', 'since its attempt was lost'],
        figures.hitRate !== null && figures.hitRate !== undefined && ['Replays', percent(figures.hitRate), 'of requests got a recorded response'],
    ];
    return html`
        <dl class="tiles" aria-label="Figures">
            ${tiles.filter(Boolean).map(([name, value, means]) => html`
                <div class="card"><dt>${name}</dt><dd><b>${value}</b><span>${means}</span></dd></div>`)}
        </dl>`;
}
