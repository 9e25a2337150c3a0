// Whether the figures on the page are of now.
import { html } from '../core/html.js';
import { timeOfDay } from '../core/format.js';
import { reconnect } from '../core/live.js';

const WORDS = { live: 'live', connecting: 'connecting', cut: 'cut' };

export const LiveState = ({ live }) => html`
    <span class="live ${live.connection}" role="status">${WORDS[live.connection]}</span>`;

/** Says that the figures are old, since when, and what happens next. */
export const LiveCut = ({ live }) => live.connection === 'cut' && html`
    <div class="notice warn" role="alert">
        <strong>The live figures are cut since ${timeOfDay(live.cutAt)}</strong>
        <p>The figures below may be old. The console reconnects by itself; other pages still load when the server answers.</p>
        <div class="actions"><button type="button" onClick=${reconnect}>Reconnect now</button></div>
    </div>`;
