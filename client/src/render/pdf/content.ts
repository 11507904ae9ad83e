import type { Rgba } from '../../core/scene/display/display-list.ts';
import type { Matrix } from '../../core/scene/display/matrix.ts';
import type { PathCommand } from '../../core/scene/display/outline.ts';

/** Five decimals of a millimetre are far below what any printer resolves. */
const DECIMALS = 5;

/** A number in PDF syntax: no exponent, no needless digits. */
export function number(value: number): string {
  const text = value.toFixed(DECIMALS);
  const trimmed = text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  return trimmed === '-0' ? '0' : trimmed;
}

/** Collects the operators of a content stream. */
export class Content {
  readonly #parts: string[] = [];

  raw(text: string): this {
    this.#parts.push(text);
    return this;
  }

  op(operator: string, ...operands: readonly number[]): this {
    this.#parts.push(`${operands.map(number).join(' ')} ${operator}`);
    return this;
  }

  save(): this {
    return this.raw('q');
  }

  restore(): this {
    return this.raw('Q');
  }

  transform(matrix: Matrix): this {
    return this.op('cm', ...matrix);
  }

  fillColour([r, g, b]: Rgba): this {
    return this.op('rg', r / 255, g / 255, b / 255);
  }

  strokeColour([r, g, b]: Rgba): this {
    return this.op('RG', r / 255, g / 255, b / 255);
  }

  use(kind: 'gs' | 'Do' | 'sh', name: string): this {
    return this.raw(`/${name} ${kind}`);
  }

  path(commands: readonly PathCommand[]): this {
    for (const command of commands) {
      if (command[0] === 'M') this.op('m', command[1], command[2]);
      else if (command[0] === 'L') this.op('l', command[1], command[2]);
      else if (command[0] === 'C') {
        this.op('c', command[1], command[2], command[3], command[4], command[5], command[6]);
      } else this.raw('h');
    }
    return this;
  }

  toString(): string {
    return this.#parts.join('\n');
  }
}
