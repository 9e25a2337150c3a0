// What a client that retries gets, byte for byte as far as it is known.
import { html } from '../core/html.js';
import { bytes } from '../core/format.js';

function maskedWords(size) {
    if (size === undefined) {
        return 'the body is not shown here';
    }
    return size ? `body of ${bytes(size)}, masked` : 'no body';
}

/** The lines of a response as they travel. */
export function ResponseText({ response, masked }) {
    const { status, headers = [], body, bodyBase64, bodyBytes } = response;
    return html`
        <pre class="response" tabindex="0" aria-label="Response">${status && html`<b>HTTP ${status}</b>${'\n'}`}${headers.map(([name, value]) => html`<span class="header-name">${name}:</span>${` ${value}\n`}`)}${'\n'}${
            masked ? html`<i>${maskedWords(bodyBytes)}</i>`
            : bodyBase64 ? html`<i>not text; in base64:</i>${'\n' + bodyBase64}`
            : body || html`<i>no body</i>`}</pre>`;
}

/** Whether a retry executes or what it is answered. */
export function ClientGets({ gets, masked }) {
    return html`
        <div class="client-gets ${gets.executes ? 'executes' : ''}">
            ${gets.executes
                ? html`<p><b class="badge warn">executes</b> The operation runs (again), and the client gets its new answer.</p>`
                : gets.status && html`<${ResponseText} response=${gets} masked=${masked} />`}
            ${gets.explanation && html`<p>${gets.explanation}</p>`}
            ${gets.code && html`<p class="faint">code <code>${gets.code}</code></p>`}
        </div>`;
}
