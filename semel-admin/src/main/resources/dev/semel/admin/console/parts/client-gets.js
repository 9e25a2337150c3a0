// What a client that retries gets, byte for byte as far as it is known.
import { html } from '../core/html.js';
import { bytes } from '../core/format.js';

function maskedWords(size) {
    if (size === undefined) {
        return 'the body is not shown here';
    }
    return size ? `body of ${bytes(size)}, masked` : 'no body';
}

/** What can be read of bytes that are no text. */
function legible(base64) {
    return Array.from(atob(base64), (byte) => (byte >= ' ' && byte <= '~' ? byte : '·')).join('');
}

/** The lines of a response as they travel; a masked one shows what the server sent of it, which is no recorded body. */
export function ResponseText({ response, masked }) {
    const { status, headers = [], body, bodyBase64, bodyBytes } = response;
    const hidden = masked && body === undefined && bodyBase64 === undefined;
    return html`
        <pre class="response" tabindex="0" aria-label="Response">${status && html`<b>HTTP ${status}</b>${'\n'}`}${headers.map(([name, value]) => html`<span class="header-name">${name}:</span>${` ${value}\n`}`)}${status ? '\n' : ''}${
            hidden ? html`<i>${maskedWords(bodyBytes)}</i>`
            : bodyBase64 ? html`<i>not text; what can be read of it:</i>${'\n' + legible(bodyBase64) + '\n'}<i>in base64:</i>${'\n' + bodyBase64}`
            : body || html`<i>no body</i>`}</pre>`;
}

/** Whether a retry executes or what it is answered. */
export function ClientGets({ gets, masked, operation }) {
    return html`
        <div class="client-gets ${gets.executes ? 'executes' : ''}">
            ${gets.executes
                ? html`<p><b class="badge warn">executes</b> The next request with this key executes <b>${operation}</b>, and its client gets the new answer.</p>`
                : gets.status && html`<${ResponseText} response=${gets} masked=${masked} />`}
            ${!gets.executes && gets.explanation && html`<p>${gets.explanation}</p>`}
            ${gets.code && html`<p class="faint">code <code>${gets.code}</code></p>`}
        </div>`;
}
