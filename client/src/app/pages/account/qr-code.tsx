import { modulesOf } from '../../../core/code/modules.ts';
import css from './account.module.css';

/** The empty border that readers need, in modules. */
const QUIET = 4;

/** A text as a QR code: dark on white in either theme, since many readers take nothing else. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const found = modulesOf('qr', text, 'M');
  if (!found.ok) return <p>{found.message}</p>;
  const { cols, rows, isDark } = found.modules;
  const dark: string[] = [];
  for (let row = 0; row < rows; row++) {
    for (let col = 0; col < cols; col++) {
      if (isDark(col, row)) dark.push(`M${col + QUIET} ${row + QUIET}h1v1h-1z`);
    }
  }
  const side = cols + 2 * QUIET;
  return (
    <svg className={css.qr} viewBox={`0 0 ${side} ${side}`} role="img" aria-label={label}>
      <rect width={side} height={side} fill="#fff" />
      <path d={dark.join('')} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}
