// Pages by the address after '#'. Filters are part of it; keys, scopes and bodies are not: they go through references.
import { useEffect, useState } from './html.js';
import { referenceTo } from './session-store.js';

/** The route of an address: its path as a list, and its parameters. */
export function parse(hash) {
    const [path, query = ''] = hash.replace(/^#/, '').split('?');
    return { path: path.split('/').filter(Boolean), query: new URLSearchParams(query) };
}

/** The address of a page with those parameters that have a value. */
export function address(path, parameters = {}) {
    const query = new URLSearchParams(
        Object.entries(parameters).filter(([, value]) => value !== undefined && value !== '' && value !== null),
    );
    return '#' + path + (query.size ? '?' + query : '');
}

export const recordAddress = ({ scope, key }) => address('/record/' + referenceTo({ scope, key }));

export function go(target) {
    location.hash = target;
}

export function useRoute() {
    const [hash, setHash] = useState(location.hash);
    useEffect(() => {
        const changed = () => setHash(location.hash);
        addEventListener('hashchange', changed);
        return () => removeEventListener('hashchange', changed);
    }, []);
    return { hash, ...parse(hash) };
}
