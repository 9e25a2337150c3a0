// What a person sees after an action on an unknown outcome, and where to go on.
import { html } from '../core/html.js';
import { post } from '../core/api.js';
import { useLoad, useSession } from '../core/hooks.js';
import { recordAddress } from '../core/router.js';
import { verdictTitle } from '../core/words.js';

export function Settled({ result, record }) {
    const next = useLoad(() => post('/unknown/search', { limit: 50 }), []);
    const { name } = useSession();
    const others = (next.data?.records ?? []).filter((other) => (other.key !== record.key || other.scope !== record.scope)
        && other.proposal?.by !== name);
    // Those before this one were left unknown on purpose: they come again at the end.
    const following = others.find((other) => other.claimedAt > record.claimedAt) ?? others[0];
    return html`
        <section class="notice good" role="status">
            <strong>${result.noted ? 'Your note is in the history'
                : result.requeued ? 'The resolver looks again'
                : result.proposed ? 'Your proposal is recorded'
                : result.already ? 'It was settled so already'
                : `Settled: ${verdictTitle(result.happened).toLowerCase()}`}</strong>
            <p>${result.noted ? 'The outcome stays unknown, and the queue shows your note.'
                : result.requeued ? 'The outcome stays unknown until it finds out.'
                : result.proposed ? 'The outcome stays unknown until a second person approves it.'
                : result.already ? 'Another person or the resolver settled it the same way before you. The history shows who, and why.'
                : result.happened ? 'Retries get the response that you recorded. Nothing is executed.'
                : 'The next retry executes the operation.'}</p>
            <div class="actions">
                ${following && html`<a class="button primary" href=${recordAddress(following)}>Next unknown outcome</a>`}
                <a class="button" href="#/unknown">All unknown outcomes</a>
            </div>
        </section>`;
}
