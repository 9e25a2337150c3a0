// Light, dark, or what the system says.
import { html, useState } from '../core/html.js';

const NAMES = { system: 'System', light: 'Light', dark: 'Dark' };

export function ThemeSwitch() {
    const [theme, setTheme] = useState(document.documentElement.dataset.theme ?? 'system');
    const choose = (event) => {
        const chosen = event.target.value;
        if (chosen === 'system') {
            delete document.documentElement.dataset.theme;
        } else {
            document.documentElement.dataset.theme = chosen;
        }
        try {
            localStorage.setItem('semel-theme', chosen);
        } catch (refused) {
            // The choice holds until the page is closed.
        }
        setTheme(chosen);
    };
    return html`
        <select class="small" aria-label="Theme" value=${theme} onChange=${choose}>
            ${Object.entries(NAMES).map(([value, name]) => html`<option value=${value} selected=${value === theme}>${name}</option>`)}
        </select>`;
}
