// Dialogs: the browser's own, which keep the focus inside and close on Esc.
import { html, useEffect, useRef } from '../core/html.js';

let numbers = 0;

export function Dialog({ title, onClose, wide, children }) {
    const dialog = useRef();
    const id = useRef();
    id.current ??= 'dialog-' + ++numbers;
    useEffect(() => {
        const element = dialog.current;
        element.showModal();
        return () => element.open && element.close();
    }, []);
    return html`
        <dialog ref=${dialog} class=${wide ? 'wide' : ''} aria-labelledby=${id.current} onClose=${onClose}>
            <header>
                <h2 id=${id.current}>${title}</h2>
                <button type="button" class="quiet" aria-label="close" onClick=${() => dialog.current.close()}>✕</button>
            </header>
            ${children}
        </dialog>`;
}
