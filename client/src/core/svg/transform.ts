import { IDENTITY, type Matrix, multiply, translation } from '../scene/display/matrix.ts';
import { NotVector } from './drawing.ts';

const FUNCTION = /\s*,?\s*([a-zA-Z]+)\s*\(([^()]*)\)/y;

/**
 * Reads a `transform` attribute or the CSS property of that name (lengths in px, angles in degrees).
 * @throws NotVector for anything but a list of plane transforms
 */
export function readTransform(text: string): Matrix {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed === 'none') return IDENTITY;
  let matrix = IDENTITY;
  FUNCTION.lastIndex = 0;
  let at = 0;
  while (at < trimmed.length) {
    const found = FUNCTION.exec(trimmed);
    if (!found) throw new NotVector(`has a transform that cannot be read: ${trimmed.slice(0, 40)}`);
    at = FUNCTION.lastIndex;
    matrix = multiply(matrix, oneTransform(found[1] ?? '', numbersOf(found[2] ?? '')));
  }
  return matrix;
}

function numbersOf(text: string): number[] {
  // Numbers may follow one another without a blank where a sign or a second decimal point begins the next.
  const found = text.match(/[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/gi) ?? [];
  if (/%|rad|turn|em|rem|calc|var/i.test(text))
    throw new NotVector('has a transform in units that depend on the page');
  return found.map(Number);
}

function oneTransform(name: string, n: readonly number[]): Matrix {
  const [x = 0, y = 0, z = 0] = n;
  switch (name) {
    case 'matrix':
      if (n.length === 6) return n as unknown as Matrix;
      break;
    case 'translate':
      return translation(x, y);
    case 'translateX':
      return translation(x, 0);
    case 'translateY':
      return translation(0, x);
    case 'scale':
      return [n[0] ?? 1, 0, 0, n[1] ?? n[0] ?? 1, 0, 0];
    case 'scaleX':
      return [x, 0, 0, 1, 0, 0];
    case 'scaleY':
      return [1, 0, 0, x, 0, 0];
    case 'rotate': {
      const angle = (x * Math.PI) / 180;
      const turn: Matrix = [Math.cos(angle), Math.sin(angle), -Math.sin(angle), Math.cos(angle), 0, 0];
      return multiply(multiply(translation(y, z), turn), translation(-y, -z));
    }
    case 'skewX':
      return [1, 0, Math.tan((x * Math.PI) / 180), 1, 0, 0];
    case 'skewY':
      return [1, Math.tan((x * Math.PI) / 180), 0, 1, 0, 0];
  }
  throw new NotVector(`has a transform that cannot be read: ${name}`);
}
