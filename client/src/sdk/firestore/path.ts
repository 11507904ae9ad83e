import { FirestoreError } from './error.ts';

/** Splits and checks a slash-separated path. */
export function splitPath(...parts: string[]): string[] {
  const segments: string[] = [];
  for (const part of parts) {
    for (const segment of part.split('/')) {
      if (segment.length === 0) continue;
      if (segment === '.' || segment === '..') throw invalid(`"${segment}" cannot be part of a path.`);
      segments.push(segment);
    }
  }
  if (segments.length === 0) throw invalid('A path must not be empty.');
  return segments;
}

function invalid(message: string): FirestoreError {
  return new FirestoreError('invalid-argument', message);
}

/** A field of a document, as its map keys from outermost to innermost. */
export class FieldPath {
  readonly segments: readonly string[];

  constructor(...segments: string[]) {
    if (segments.length === 0 || segments.some((segment) => segment.length === 0)) {
      throw invalid('A field path needs names that are not empty.');
    }
    this.segments = segments;
  }

  isEqual(other: FieldPath): boolean {
    return (
      other.segments.length === this.segments.length &&
      other.segments.every((one, i) => one === this.segments[i])
    );
  }

  /** The path as queries and masks spell it, odd names in backticks. */
  canonical(): string {
    return this.segments
      .map((name) =>
        /^[A-Za-z_][A-Za-z_0-9]*$/.test(name)
          ? name
          : `\`${name.replace(/\\/g, '\\\\').replace(/`/g, '\\`')}\``,
      )
      .join('.');
  }
}

/** The document's own name, for ordering and filtering. */
export function documentId(): FieldPath {
  return new FieldPath('__name__');
}

/** Reads `a.b.c`; other characters than letters, digits and `_` need a `FieldPath`. */
export function toFieldPath(path: string | FieldPath): FieldPath {
  if (path instanceof FieldPath) return path;
  if (/[~*/[\]]/.test(path)) throw invalid(`The field path "${path}" must not contain ~ * / [ or ].`);
  return new FieldPath(...path.split('.'));
}
