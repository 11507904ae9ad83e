import * as z from 'zod';
import { own } from '../../records.ts';
import { MAX_LANGUAGES, MAX_TAG } from '../../translation/languages.ts';
import { MAX_UNIT } from '../../translation/pieces.ts';
import { RulebookError } from '../document/error.ts';
import { LIMITS } from '../document/limits.ts';
import { type Block, languageSchema, parseRulebook, type Rulebook } from '../document/schema.ts';
import { allBlocks, inlinesOf } from '../document/walk.ts';
import { withTexts } from '../translation/units.ts';

/**
 * A published rulebook: its text as it was at one moment, with what it shows of its project. Whoever reads it needs
 * nothing of the project itself.
 */
export const EDITION_VERSION = 1;

/** A picture of an edition: its file, and its sides in pixels. */
export interface Picture {
  readonly name: string;
  readonly address: string;
  readonly w: number;
  readonly h: number;
  /** For those who cannot see it. */
  readonly alt: string;
}

export interface Edition {
  readonly version: typeof EDITION_VERSION;
  /** From 1; each publication has the next. */
  readonly number: number;
  /** Such as `1.2`; empty for none. */
  readonly name: string;
  /** When it was published, in milliseconds since 1970. */
  readonly at: number;
  /** Name of the version of the game that it is of; older editions do not say it. */
  readonly gameVersion?: string | undefined;
  readonly book: Rulebook;
  readonly cards: readonly Picture[];
  readonly icons: readonly Picture[];
  readonly figures: readonly Picture[];
  readonly values: readonly (readonly [formula: string, text: string])[];
  readonly components: readonly {
    readonly name: string;
    readonly count: number;
    readonly card?: string | undefined;
  }[];
  /** The table as a game begins, where a block shows it. */
  readonly setUp?: EditionSetUp | undefined;
  /** Other languages in which it can be read. */
  readonly translations?: readonly EditionTranslation[] | undefined;
}

/** Texts in another language by the ids of their units; the source stands for the others. */
export interface EditionTranslation {
  readonly language: string;
  readonly texts: Readonly<Record<string, string>>;
}

/** A picture of the table. `x` and `y` of a part's number are shares of its sides. */
export interface EditionSetUp {
  readonly picture: Picture;
  readonly legend: readonly { readonly words: string; readonly x: number; readonly y: number }[];
}

/** Most pictures of a kind. */
export const MAX_PICTURES = 2_000;
/** Longest words for those who cannot see a picture, in characters. */
export const MAX_ALT = 20_000;

const picture = z.object({
  name: z.string().max(LIMITS.title),
  address: z.string().max(4_000),
  w: z.number().positive().max(100_000),
  h: z.number().positive().max(100_000),
  alt: z.string().max(MAX_ALT),
});
const pictures = z.array(picture).max(MAX_PICTURES);
const share = z.number().min(0).max(1);

const editionSchema = z.object({
  version: z.literal(EDITION_VERSION),
  number: z.number().int().min(1),
  name: z.string().max(200),
  at: z.number(),
  gameVersion: z.string().max(200).optional(),
  book: z.unknown(),
  cards: pictures,
  icons: pictures,
  figures: pictures,
  values: z.array(z.tuple([z.string().max(LIMITS.formula), z.string().max(20_000)])).max(20_000),
  components: z
    .array(z.object({ name: z.string(), count: z.number(), card: z.string().optional() }))
    .max(1_000),
  setUp: z
    .object({
      picture,
      legend: z.array(z.object({ words: z.string().max(LIMITS.title), x: share, y: share })).max(1_000),
    })
    .optional(),
  translations: z
    .array(
      z.object({
        language: languageSchema.max(MAX_TAG),
        texts: z.record(z.string().max(100), z.string().max(MAX_UNIT)),
      }),
    )
    .max(MAX_LANGUAGES)
    .optional(),
});

/** An edition in one of its languages; in that of its text for any other. */
export function editionIn(edition: Edition, language: string | null): Edition {
  const found = edition.translations?.find((one) => one.language === language);
  if (!found) return edition;
  return { ...edition, book: withTexts(edition.book, found.language, (id) => own(found.texts, id)) };
}

/** Reads an edition as it was stored. @throws RulebookError naming the first fault, and its block */
export function parseEdition(value: unknown): Edition {
  const result = editionSchema.safeParse(value);
  if (!result.success) {
    const issue = result.error.issues[0];
    const block = blockShowing(value, issue?.path ?? []);
    const message = `The published rulebook, ${issue?.path.join('.')}: ${issue?.message}.`;
    throw new RulebookError(message, { block });
  }
  return { ...result.data, book: parseRulebook(result.data.book) };
}

/** Id of the block for which an edition has what lies at a path: a picture, a value, a list. */
function blockShowing(value: unknown, [kind, at]: readonly PropertyKey[]): string | undefined {
  const edition = value as Partial<Edition> | null;
  const blocks = edition?.book?.blocks;
  if (!Array.isArray(blocks)) return undefined;
  const index = Number(at);
  const shows = (block: Block): boolean => {
    const inlines = inlinesOf(block).flat();
    switch (kind) {
      case 'cards': {
        const name = edition?.cards?.[index]?.name;
        if (name === undefined) return false;
        return (
          (block.type === 'cards' && block.names.includes(name)) ||
          inlines.some((inline) => inline.type === 'card' && inline.name === name)
        );
      }
      case 'icons': {
        const name = edition?.icons?.[index]?.name;
        return inlines.some((inline) => inline.type === 'icon' && inline.name === name);
      }
      case 'figures':
        return block.type === 'figure' && block.source === edition?.figures?.[index]?.name;
      case 'values': {
        const formula = edition?.values?.[index]?.[0];
        return inlines.some((inline) => inline.type === 'value' && inline.formula === formula);
      }
      case 'setUp':
        return block.type === 'live' && block.show === 'setup';
      case 'components':
        return block.type === 'live' && block.show === 'components';
      default:
        return false;
    }
  };
  for (const block of allBlocks(blocks as readonly Block[])) if (shows(block)) return block.id;
  return undefined;
}
