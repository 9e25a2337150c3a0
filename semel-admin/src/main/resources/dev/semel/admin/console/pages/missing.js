// An address that no page has.
import { html } from '../core/html.js';
import { useTitle } from '../core/hooks.js';
import { Empty, PageHead } from '../parts/basics.js';

export function Missing() {
    useTitle('No such page');
    return html`
        <${PageHead} title="No such page" />
        <${Empty} title="This address belongs to no page of the console">
            <p>Go to the <a href="#/">overview</a>, or choose a page from the menu.</p>
        <//>`;
}
