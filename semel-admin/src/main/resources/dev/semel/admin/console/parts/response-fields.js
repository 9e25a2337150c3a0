// The response that is recorded for an operation that happened.
import { html } from '../core/html.js';
import { post } from '../core/api.js';
import { useLoad } from '../core/hooks.js';
import { address } from '../core/router.js';

function headersIn(text) {
    return text.split('\n').map((line) => line.trim()).filter(Boolean).map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    });
}

/** The response as the admin API takes it. */
export const responseIn = (typed) => ({
    status: Number(typed.status),
    headers: headersIn(typed.headers),
    ...(typed.body && { body: typed.body }),
});

/** What is wrong with what was typed; undefined when nothing is. */
export function responseProblem(typed) {
    const status = Number(typed.status);
    if (!Number.isInteger(status) || status < 200 || status > 599) {
        return 'Give the status that the client should get, such as 201: a number from 200 to 599.';
    }
    const wrong = typed.headers.split('\n').find((line) => line.trim() && !/^[!#$%&'*+.^_`|~\w-]+\s*:/.test(line.trim()));
    return wrong && `Write each header as “Name: value”; this line is not: ${wrong.trim().slice(0, 60)}`;
}

function bodyWarning(typed) {
    if (!typed.body) {
        return 'The body is empty. Most clients read the created object from it.';
    }
    if (/content-type\s*:\s*application\/([\w.+-]+\+)?json/i.test(typed.headers)) {
        try {
            JSON.parse(typed.body);
        } catch (invalid) {
            return 'The headers say JSON, but the body is not valid JSON.';
        }
    }
    return undefined;
}

/** Status and content type of the last responses of an operation: what its clients can read. */
async function usualAnswers(operation) {
    const { records } = await post('/records/search', { operation, states: ['completed'], limit: 5 });
    const whole = await Promise.all(records.map(({ scope, key }) => post('/records/get', { scope, key })));
    const answers = new Map();
    for (const { response } of whole.filter((record) => record.response?.status)) {
        const type = response.headers.find(([name]) => name.toLowerCase() === 'content-type');
        const headers = type ? `Content-Type: ${type[1]}` : '';
        answers.set(response.status + headers, { status: String(response.status), headers });
    }
    return [...answers.values()];
}

function Usual({ operation, onChange }) {
    const usual = useLoad(() => (operation ? usualAnswers(operation) : Promise.resolve([])), [operation]);
    return Boolean(usual.data?.length) && html`
        <p>Its last responses had: ${usual.data.map((answer) => html`
            <button type="button" class="small" title="Use this status and these headers" onClick=${() => onChange(answer)}>
                ${answer.status}${answer.headers && ` · ${answer.headers}`}</button>${' '}`)}</p>`;
}

export function ResponseFields({ typed, onChange, operation }) {
    const field = (name) => (event) => onChange({ [name]: event.target.value });
    const warning = bodyWarning(typed);
    return html`
        <fieldset class="response-fields">
            <legend>The response that every retry gets</legend>
            <p>Write what the first attempt would have answered, with the provider’s own numbers. For a
                final refusal, record the refusing response, such as 402.${operation && html` To see its
                usual shape, open a <a href=${address('/records', { operation, states: 'completed' })}>completed record of ${operation}</a>;
                what you typed here is kept.`}</p>
            <${Usual} operation=${operation} onChange=${onChange} />
            <label class="field narrow"><span>Status</span>
                <input inputmode="numeric" name="status" required placeholder="201" value=${typed.status} onInput=${field('status')} /></label>
            <label class="field"><span>Headers <em>one per line</em></span>
                <textarea rows="2" name="headers" spellcheck=${false} class="mono" value=${typed.headers} onInput=${field('headers')}></textarea></label>
            <label class="field"><span>Body</span>
                <textarea rows="4" name="body" spellcheck=${false} class="mono" value=${typed.body} placeholder=${'{"id": "…", "status": "succeeded"}'} onInput=${field('body')}></textarea></label>
            ${warning && html`<p class="hint" role="status">${warning}</p>`}
        </fieldset>`;
}
