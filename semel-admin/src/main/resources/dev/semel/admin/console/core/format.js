// Times, durations, sizes and numbers as people read them.

const UNITS = [
    [86_400_000, 'd'],
    [3_600_000, 'h'],
    [60_000, 'min'],
    [1_000, 's'],
];

/** A duration in its two largest units, such as "2 h 14 min". */
export function duration(milliseconds) {
    if (milliseconds === null || milliseconds === undefined || Number.isNaN(milliseconds)) {
        return '–';
    }
    if (milliseconds < 1000) {
        return Math.max(0, Math.round(milliseconds)) + ' ms';
    }
    const first = UNITS.findIndex(([size]) => milliseconds >= size);
    const [size, unit] = UNITS[first];
    const whole = Math.floor(milliseconds / size);
    const next = UNITS[first + 1];
    const rest = next ? Math.floor((milliseconds % size) / next[0]) : 0;
    return `${whole} ${unit}` + (rest && whole < 10 ? ` ${rest} ${next[1]}` : '');
}

export const since = (instant) => Date.now() - new Date(instant).getTime();

/** How long ago, or in how long. */
export function relative(instant) {
    const age = since(instant);
    if (Math.abs(age) < 1000) {
        return 'now';
    }
    return age >= 0 ? duration(age) + ' ago' : 'in ' + duration(-age);
}

/** When the resolver looks again. It is asked by the reconciler, which may be late or not run. */
export const nextLook = (instant) => (since(instant) > 0 ? 'is due to look' : 'looks again ' + relative(instant));

const DATE = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });

export const timeOfDay = (instant) => TIME.format(new Date(instant));

/** Date and time of day where the reader is. */
export function local(instant) {
    const date = new Date(instant);
    const day = DATE.format(date);
    return (day === DATE.format(new Date()) ? 'today' : day) + ', ' + TIME.format(date);
}

export function bytes(count) {
    if (count < 1024) {
        return count + (count === 1 ? ' byte' : ' bytes');
    }
    return count < 1024 * 1024 ? (count / 1024).toFixed(1) + ' kB' : (count / 1024 / 1024).toFixed(1) + ' MB';
}

export const count = (number, one, many = one + 's') => `${whole(number)} ${number === 1 ? one : many}`;
export const whole = (number) => Number(number).toLocaleString('en-GB', { maximumFractionDigits: 0 });

/** A rate or a latency with as many digits as matter. */
export function measure(number, unit = '') {
    if (number === null || number === undefined) {
        return '–';
    }
    const digits = number >= 100 || number === 0 ? 0 : number >= 10 ? 1 : 2;
    return number.toLocaleString('en-GB', { maximumFractionDigits: digits }) + (unit && ' ' + unit);
}

export const percent = (share) => (share === null || share === undefined ? '–' : measure(share * 100, '%'));
