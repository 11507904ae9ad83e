import json from '../../../../assets/fonts.json' with { type: 'json' };

/**
 * The font families text can be set in. A face (family, weight, italic) comes in files that each hold part of
 * its characters; text is set from as many of them as it needs.
 */
export interface FaceFile {
  /** Unique over the catalogue; display lists name it. */
  readonly id: string;
  readonly family: string;
  readonly weight: number;
  readonly italic: boolean;
  /** File name in the site's fonts folder; for a custom font, its address. */
  readonly file: string;
  /** First and last code points it is meant for. */
  readonly ranges: readonly (readonly [number, number])[];
  /** Its glyphs are coloured: they cannot be filled as outlines. */
  readonly colour: boolean;
  /** Axes of a variable font. */
  readonly axes?: readonly FontAxis[];
}

/** An axis of a variable font, with its range. */
export interface FontAxis {
  /** Four letters, such as `wght` or `wdth`. */
  readonly tag: string;
  readonly min: number;
  readonly default: number;
  readonly max: number;
}

export interface FontFamily {
  readonly id: string;
  readonly name: string;
  readonly category: string;
  /** Not offered to designers: fills in for characters other families lack. */
  readonly fallbackOnly: boolean;
  /** Its letters are never slanted or emboldened: their script has no such style. */
  readonly upright?: boolean;
  readonly licence: string;
  readonly licenceUrl: string;
  readonly copyright: string;
  readonly faces: readonly FaceFile[];
}

function parseRanges(unicodeRange: string): (readonly [number, number])[] {
  return unicodeRange.split(',').map((part) => {
    const [from = '', to] = part.trim().replace(/^U\+/i, '').split('-');
    return [Number.parseInt(from, 16), Number.parseInt(to ?? from, 16)];
  });
}

/** A family record in the catalogues. */
export interface FamilyRecord extends Omit<FontFamily, 'faces'> {
  /** The glyphs of its faces are coloured. */
  readonly colour: boolean;
  /** Axes of all of its faces, which are variable fonts. */
  readonly axes?: readonly FontAxis[];
  /** Characters of each subset, as CSS unicode-range. */
  readonly ranges: Readonly<Record<string, string>>;
  readonly faces: readonly {
    readonly id: string;
    readonly weight: number;
    readonly italic: boolean;
    readonly subset: string;
    readonly file: string;
  }[];
}

/** A family of a catalogue, with its characters read. */
export function familyOf(record: FamilyRecord): FontFamily {
  const ranges = new Map(Object.entries(record.ranges).map(([subset, text]) => [subset, parseRanges(text)]));
  return {
    ...record,
    faces: record.faces.map((face) => ({
      id: face.id,
      family: record.id,
      weight: face.weight,
      italic: face.italic,
      file: face.file,
      ranges: ranges.get(face.subset) ?? [],
      colour: record.colour,
      ...(record.axes && { axes: record.axes }),
    })),
  };
}

/** The built-in families; others are registered later. */
export const FONT_FAMILIES: readonly FontFamily[] = json.families.map(familyOf);

const byKey = new Map<string, FontFamily>();
const byFaceId = new Map<string, FaceFile>();

/**
 * Registers families for `findFamily` and `findFace`: the library's, and those that layouts name. A family of the same
 * id is replaced; a name in use stays with its family.
 */
export function learnFamilies(families: readonly FontFamily[]): void {
  for (const family of families) {
    const name = family.name.toLowerCase();
    const named = byKey.get(name);
    byKey.set(family.id, family);
    if (!named || named.id === family.id) byKey.set(name, family);
    for (const face of family.faces) byFaceId.set(face.id, face);
  }
}

learnFamilies(FONT_FAMILIES);

/** A family by id or by name in any case; undefined for an unknown one. */
export function findFamily(nameOrId: string): FontFamily | undefined {
  return byKey.get(nameOrId) ?? byKey.get(nameOrId.trim().toLowerCase());
}

export function findFace(id: string): FaceFile | undefined {
  return byFaceId.get(id);
}

export interface FaceChoice {
  readonly files: readonly FaceFile[];
  /** The family has no italic (or bold) face: the painter synthesises one. */
  readonly madeUpItalic: boolean;
  readonly madeUpBold: boolean;
}

const axisOf = (face: FaceFile, tag: string): FontAxis | undefined =>
  face.axes?.find((axis) => axis.tag === tag);

/** True if a file can be italic: it is, or has an axis that slants it. */
const leans = (face: FaceFile): boolean =>
  face.italic || (axisOf(face, 'ital')?.max ?? 0) > 0 || (axisOf(face, 'slnt')?.min ?? 0) < 0;

/** The file's weight nearest to the wanted one. */
function nearestWeight(face: FaceFile, weight: number): number {
  const axis = axisOf(face, 'wght');
  return axis ? Math.min(axis.max, Math.max(axis.min, weight)) : face.weight;
}

/** The files of a family for a weight and style, or the nearest ones it has. */
export function chooseFaces(family: FontFamily, weight: number, italic: boolean): FaceChoice {
  const hasItalic = family.faces.some((face) => (italic ? leans(face) : !face.italic));
  const fits = (face: FaceFile): boolean => (italic && hasItalic ? leans(face) : !face.italic);
  const styled = family.faces.filter(fits);
  const weights = [...new Set(styled.map((face) => nearestWeight(face, weight)))];
  const nearest = weights.sort((a, b) => Math.abs(a - weight) - Math.abs(b - weight))[0];
  return {
    files: styled.filter((face) => nearestWeight(face, weight) === nearest),
    madeUpItalic: italic && !hasItalic,
    madeUpBold: weight >= 600 && (nearest ?? 400) < 600,
  };
}

/** Position of a variable font on each of its axes. */
export type AxisValues = Readonly<Record<string, number>>;

/**
 * Axis positions of a file for a style; undefined when they are its defaults.
 * @param axes of the style, such as `wdth=80`; axes that the font lacks are ignored
 */
export function axisValues(
  face: FaceFile,
  weight: number,
  italic: boolean,
  axes: string,
): AxisValues | undefined {
  if (!face.axes) return undefined;
  const asked = readAxes(axes);
  const values: Record<string, number> = {};
  let moved = false;
  for (const axis of face.axes) {
    const wanted = asked.get(axis.tag) ?? ownValue(axis, weight, italic && !face.italic);
    const value = Math.min(axis.max, Math.max(axis.min, wanted));
    values[axis.tag] = value;
    if (value !== axis.default) moved = true;
  }
  return moved ? values : undefined;
}

function ownValue(axis: FontAxis, weight: number, lean: boolean): number {
  if (axis.tag === 'wght') return weight;
  if (lean && axis.tag === 'ital') return axis.max;
  return lean && axis.tag === 'slnt' ? axis.min : axis.default;
}

/** Parses a style's axes: `wdth=80, opsz 12`. Invalid entries are ignored. */
export function readAxes(text: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const part of text.split(/[,;]/)) {
    const match = /^\s*["']?([\x21-\x7e]{4})["']?\s*[=\s:]\s*(-?\d+(?:\.\d+)?)\s*$/.exec(part);
    if (match?.[1]) found.set(match[1], Number(match[2]));
  }
  return found;
}

/** Families tried, in order, for characters the chosen family lacks. */
export const FALLBACK_FAMILIES: readonly string[] = [
  'inter',
  'noto-sans-symbols',
  'noto-sans-symbols-2',
  'noto-sans-hebrew',
  'noto-sans-arabic',
  'noto-sans-thai',
  'noto-color-emoji',
];
