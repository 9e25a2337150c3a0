// The one place that knows the vendored view library. Text in templates is always set as text, never parsed as HTML.
export {
    html,
    render,
    createContext,
    useState,
    useEffect,
    useLayoutEffect,
    useRef,
    useMemo,
    useCallback,
    useContext,
    useErrorBoundary,
} from '../vendor/htm-preact.js';
