// One page at a time: cursors are kept in this tab, the address carries a reference to them.
import { html } from '../core/html.js';
import { whole } from '../core/format.js';
import { address } from '../core/router.js';
import { referenceTo, referred } from '../core/session-store.js';

export function Pager({ path, query, page }) {
    const cursors = referred(query.get('at')) ?? [];
    const rest = Object.fromEntries(query);
    const to = (list) => address(path, { ...rest, at: list.length ? referenceTo(list) : undefined });
    return html`
        <nav class="pager" aria-label="Pages of the list">
            ${cursors.length > 0 && html`<a class="button" href=${to(cursors.slice(0, -1))}>‹ Previous</a>`}
            <span>Page ${cursors.length + 1}</span>
            ${page.nextCursor && html`<a class="button" href=${to([...cursors, page.nextCursor])}>Next ›</a>`}
            ${page.complete === false && html`<span class="badge warn" title="The search stopped at its limit. Go on with Next, or narrow it.">not everything was examined</span>`}
            ${page.cost && html`<span class="faint cost">${whole(page.cost.examined)} entries examined, by ${page.cost.plan}</span>`}
        </nav>`;
}
