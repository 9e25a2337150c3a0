// Keys of the console. They work where nothing is typed.
import { useEffect } from './html.js';
import { go } from './router.js';

const PAGES = { o: '#/', u: '#/unknown', r: '#/records', m: '#/misuse', p: '#/operations', s: '#/settings' };

/** What the help dialog lists. */
export const SHORTCUTS = [
    ['/', 'go to the search field'],
    ['j or ↓', 'next row of a list'],
    ['k or ↑', 'previous row of a list'],
    ['Enter', 'open the row'],
    ['x', 'select the row, in the queue of unknown outcomes'],
    ['g then o, u, r, m, p, s', 'go to overview, unknown outcomes, records, misused keys, operations, settings'],
    ['Esc', 'close a dialog'],
    ['?', 'this list'],
];

const isTyping = (element) => element.closest('input:not([type=checkbox]):not([type=radio]), textarea, select, dialog');

function moveRow(step) {
    const rows = [...document.querySelectorAll('[data-row]')];
    if (rows.length === 0) {
        return false;
    }
    const current = rows.findIndex((row) => row.contains(document.activeElement) || row === document.activeElement);
    const next = current < 0 ? (step > 0 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, current + step));
    (rows[next].querySelector('[data-open]') ?? rows[next]).focus();
    return true;
}

/** Listens for the keys of all pages. */
export function useShortcuts(showHelp) {
    useEffect(() => {
        let awaitsPage = false;
        const pressed = (event) => {
            if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) {
                return;
            }
            const handled = act(event);
            if (handled) {
                event.preventDefault();
            }
        };
        const act = (event) => {
            if (awaitsPage) {
                awaitsPage = false;
                if (PAGES[event.key]) {
                    go(PAGES[event.key]);
                    return true;
                }
            }
            switch (event.key) {
                case '/': {
                    const search = document.querySelector('[data-search]');
                    search?.focus();
                    return Boolean(search);
                }
                case 'j':
                case 'ArrowDown':
                    return moveRow(1);
                case 'k':
                case 'ArrowUp':
                    return moveRow(-1);
                case 'x': {
                    const box = document.activeElement?.closest('[data-row]')?.querySelector('input[type=checkbox]');
                    box?.click();
                    return Boolean(box);
                }
                case 'g':
                    awaitsPage = true;
                    return true;
                case '?':
                    showHelp();
                    return true;
                default:
                    return false;
            }
        };
        addEventListener('keydown', pressed);
        return () => removeEventListener('keydown', pressed);
    }, [showHelp]);
}
