// The question of a settlement, with what each answer claims and what follows from it.
import { html } from '../core/html.js';
import { duration, since } from '../core/format.js';
import { VERDICTS } from '../core/words.js';

/** How long a request can be under way when the operation does not say it: the default settle window of Semel. */
const DEFAULT_WINDOW_MS = 1_800_000;

export function VerdictChoice({ value, onChange, record, without = [] }) {
    const window = record?.settleWindowMs ?? DEFAULT_WINDOW_MS;
    const early = record?.unknownSince && since(record.unknownSince) < window;
    return html`
        <fieldset class="verdicts">
            <legend>Did it happen? Look at the provider, or in your own books, before you answer.</legend>
            ${Object.entries(VERDICTS).filter(([verdict]) => !without.includes(verdict)).map(([verdict, words]) => html`
                <label class=${value === verdict ? 'chosen' : ''}>
                    <input type="radio" name="verdict" value=${verdict} checked=${value === verdict} onChange=${() => onChange(verdict)} />
                    <span>
                        <b>${words.title}</b>
                        <span>${words.claim}</span>
                        <span class="follows"><i>What follows:</i> ${words.follows}</span>
                        ${words.ifWrong && html`<span class="if-wrong">${words.ifWrong}</span>`}
                    </span>
                </label>`)}
        </fieldset>
        ${value === 'didNotHappen' && early && html`
            <p class="notice bad slim" role="alert"><b>Too early to trust “not found”.</b> This outcome has been unknown for only
                ${' ' + duration(since(record.unknownSince))}; a request can be under way for ${duration(window)}. Wait, unless the provider
                confirmed that it rejected or voided this very request.</p>`}`;
}
