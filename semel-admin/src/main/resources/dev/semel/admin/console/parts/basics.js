// Small parts that every page uses.
import { html, useEffect, useRef } from '../core/html.js';
import { advice } from '../core/api.js';
import { local, relative } from '../core/format.js';
import { stateOf } from '../core/words.js';

/** A moment: how long ago, and on hover when exactly. */
export const Time = ({ at, exact }) => at
    ? html`<time dateTime=${at} title=${exact ? relative(at) : local(at) + ' · ' + at}>${exact ? local(at) : relative(at)}</time>`
    : '–';

export function StateBadge({ record }) {
    const state = stateOf(record);
    return html`<span class="badge ${state.tone}" title=${state.means}>${state.label}</span>`;
}

/** A problem with its detail and what to do about it. Announced to screen readers when it appears. */
export function ProblemBox({ problem, onRetry, onDismiss }) {
    const box = useRef();
    useEffect(() => {
        const reduced = matchMedia('(prefers-reduced-motion: reduce)').matches;
        box.current?.scrollIntoView({ block: 'nearest', behavior: reduced ? 'auto' : 'smooth' });
    }, [problem]);
    if (!problem) {
        return null;
    }
    return html`
        <div class="notice bad" role="alert" ref=${box}>
            <strong>${problem.title ?? 'Something went wrong'}</strong>
            ${problem.detail && html`<p>${problem.detail}</p>`}
            <p><b>What to do:</b> ${advice(problem)}</p>
            <p class="faint">${problem.code}${problem.status ? ' · HTTP ' + problem.status : ''}</p>
            ${(onRetry || onDismiss) && html`
                <div class="actions">
                    ${onRetry && html`<button type="button" onClick=${onRetry}>Try again</button>`}
                    ${onDismiss && html`<button type="button" onClick=${onDismiss}>Dismiss</button>`}
                </div>`}
        </div>`;
}

/** What a page shows where there is nothing yet, and what to do. */
export const Empty = ({ title, children }) => html`
    <div class="empty"><h2>${title}</h2><div>${children}</div></div>`;

export const Loading = ({ what }) => html`<p class="loading" role="status">Loading ${what} …</p>`;

/** Loads, fails or shows: the three faces of a page's data. */
export function Loaded({ of, what, children }) {
    return html`
        <${ProblemBox} problem=${of.problem} onRetry=${of.reload} />
        ${of.data !== undefined ? children(of.data) : of.loading && html`<${Loading} what=${what} />`}`;
}

/** The heading of a page, with its actions. */
export const PageHead = ({ title, lead, children }) => html`
    <header class="page-head">
        <div><h1 tabindex="-1">${title}</h1>${lead && html`<p class="lead">${lead}</p>`}</div>
        ${children && html`<div class="actions">${children}</div>`}
    </header>`;

/** A text that can be copied, such as a key. */
export function Copyable({ text, label }) {
    const button = useRef();
    const copy = async () => {
        await navigator.clipboard?.writeText(text);
        button.current.textContent = 'copied';
        setTimeout(() => button.current && (button.current.textContent = 'copy'), 1500);
    };
    return html`<span class="copyable"><code>${text}</code>${navigator.clipboard
        && html`<button type="button" class="small quiet" ref=${button} onClick=${copy} aria-label=${'copy ' + label}>copy</button>`}</span>`;
}

/** Names with their values. */
export const Facts = ({ of }) => html`
    <dl class="facts">
        ${of.filter((fact) => fact && fact[1] !== undefined && fact[1] !== null && fact[1] !== '').map(([name, value]) => html`
            <div><dt>${name}</dt><dd>${value}</dd></div>`)}
    </dl>`;
