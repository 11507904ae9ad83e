import type { Bar } from '../../../../../core/table/statistics.ts';
import css from './statistics.module.css';

/** Size of a chart in its own units; the page scales it. */
const WIDTH = 420;
const STANDING_HEIGHT = 190;
const LINE_HEIGHT = 22;
const LABEL_WIDTH = 140;

/** Bars, lying with their labels to the left or standing with them below. Read as a table by screen readers. */
export function BarChart({ title, bars, lying }: { title: string; bars: readonly Bar[]; lying: boolean }) {
  const most = Math.max(1, ...bars.map(({ count }) => count));
  const label = `${title}: ${bars.map((bar) => `${bar.label} ${bar.count}`).join(', ')}`;
  return lying ? (
    <Lying bars={bars} most={most} label={label} />
  ) : (
    <Standing bars={bars} most={most} label={label} />
  );
}

interface Drawn {
  readonly bars: readonly Bar[];
  readonly most: number;
  readonly label: string;
}

const shorten = (text: string, most: number) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

function Lying({ bars, most, label }: Drawn) {
  const room = WIDTH - LABEL_WIDTH - 44;
  return (
    <svg
      className={css.svg}
      viewBox={`0 0 ${WIDTH} ${bars.length * LINE_HEIGHT + 4}`}
      role="img"
      aria-label={label}
    >
      {bars.map((bar, i) => (
        <g key={bar.label} transform={`translate(0 ${i * LINE_HEIGHT})`}>
          <title>{`${bar.label}: ${bar.count}`}</title>
          <text className={css.label} x={LABEL_WIDTH - 8} y={15} textAnchor="end">
            {shorten(bar.label, 20)}
          </text>
          <rect
            className={css.bar}
            x={LABEL_WIDTH}
            y={3}
            width={Math.max(1, (bar.count / most) * room)}
            height={16}
            rx={2}
          />
          <text className={css.value} x={LABEL_WIDTH + (bar.count / most) * room + 6} y={15}>
            {bar.count}
          </text>
        </g>
      ))}
    </svg>
  );
}

function Standing({ bars, most, label }: Drawn) {
  const step = WIDTH / Math.max(1, bars.length);
  const floor = STANDING_HEIGHT - 24;
  /** Labels that would run into each other are shown every so often. */
  const widest = Math.max(...bars.map((bar) => bar.label.length)) * 6.5 + 8;
  const every = Math.max(1, Math.ceil(widest / step));
  return (
    <svg className={css.svg} viewBox={`0 0 ${WIDTH} ${STANDING_HEIGHT}`} role="img" aria-label={label}>
      <line className={css.floor} x1={0} x2={WIDTH} y1={floor} y2={floor} />
      {bars.map((bar, i) => {
        const height = (bar.count / most) * (floor - 20);
        return (
          <g key={bar.label} transform={`translate(${i * step} 0)`}>
            <title>{`${bar.label}: ${bar.count}`}</title>
            <rect
              className={css.bar}
              x={step * 0.12}
              y={floor - height}
              width={step * 0.76}
              height={height}
              rx={2}
            />
            {bar.count > 0 && (
              <text className={css.value} x={step / 2} y={floor - height - 5} textAnchor="middle">
                {bar.count}
              </text>
            )}
            {i % every === 0 && (
              <text className={css.label} x={step / 2} y={STANDING_HEIGHT - 8} textAnchor="middle">
                {bar.label}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}
