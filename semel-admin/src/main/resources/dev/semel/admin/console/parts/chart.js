// A live chart with a legend that carries the newest values, also for readers who cannot see the chart.
import { html, useEffect, useRef } from '../core/html.js';
import { measure, timeOfDay } from '../core/format.js';
import uPlot from '../vendor/uplot.js';

const HEIGHT = 190;
/** Steps between the labels of time; less than a second would repeat them. */
const SECONDS = [1, 2, 5, 10, 15, 30, 60, 120, 300];

/** series: [{name, value(figures)}]; unit is shown behind the values. */
export function Chart({ title, history, series, unit }) {
    const place = useRef();
    const legend = useRef();
    const plot = useRef();
    const data = [
        history.map((figures) => Date.parse(figures.at) / 1000),
        ...series.map((line) => history.map((figures) => line.value(figures) ?? null)),
    ];
    useEffect(() => {
        const draw = () => {
            plot.current?.destroy();
            plot.current = new uPlot(options(place.current, legend.current, series), data, place.current);
        };
        draw();
        const resized = new ResizeObserver(() => plot.current?.setSize({ width: place.current.clientWidth, height: HEIGHT }));
        resized.observe(place.current);
        const themed = new MutationObserver(draw);
        themed.observe(document.documentElement, { attributeFilter: ['data-theme'] });
        const scheme = matchMedia('(prefers-color-scheme: dark)');
        scheme.addEventListener('change', draw);
        return () => {
            resized.disconnect();
            themed.disconnect();
            scheme.removeEventListener('change', draw);
            plot.current.destroy();
            plot.current = undefined;
        };
    }, []);
    useEffect(() => plot.current?.setData(data), [history]);
    const newest = history[history.length - 1];
    return html`
        <section class="card chart" aria-label=${title}>
            <h2>${title}</h2>
            <ul class="legend" ref=${legend}>
                ${series.map((line, index) => html`
                    <li class=${'series-' + (index + 1)}><span>${line.name}</span> <b>${newest ? measure(line.value(newest), unit) : '–'}</b></li>`)}
            </ul>
            <div class="plot" aria-hidden="true" ref=${place}></div>
        </section>`;
}

function options(place, legend, series) {
    // The stylesheet decides the colours, for light and dark: they are read from the legend.
    const ink = getComputedStyle(place);
    const colours = [...legend.children].map((item) => getComputedStyle(item).getPropertyValue('border-left-color'));
    const axis = {
        stroke: ink.color,
        font: '11px system-ui, sans-serif',
        grid: { stroke: ink.borderTopColor, width: 1 },
        ticks: { show: false },
    };
    return {
        width: place.clientWidth,
        height: HEIGHT,
        legend: { show: false },
        cursor: { show: false },
        padding: [8, 28, 0, 0],
        scales: { y: { range: (plot, min, max) => [0, Math.max(1, (max ?? 0) * 1.15)] } },
        axes: [
            { ...axis, size: 26, space: 80, incrs: SECONDS, values: (plot, splits) => splits.map((second) => timeOfDay(second * 1000)) },
            { ...axis, size: 44 },
        ],
        series: [
            {},
            ...series.map((line, index) => ({ stroke: colours[index], width: 2, points: { show: false }, spanGaps: false })),
        ],
    };
}
