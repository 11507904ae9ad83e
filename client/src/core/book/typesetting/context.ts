import type { ImageSizes } from '../../layout/assets.ts';
import type { SetUpPicture } from '../../play/set-up/set-up-picture.ts';
import type { Op } from '../../scene/display/display-list.ts';
import type { FontRegistry } from '../../text/fonts/font-registry.ts';
import type { Rulebook } from '../document/schema.ts';
import type { TermUse } from '../references/index-terms.ts';
import type { Numbering } from '../references/numbering.ts';
import type { FlowCache } from './flow-cache.ts';
import type { HouseStyle } from './house-style.ts';

/** A card as it is painted. */
export interface CardArt {
  /** Trim size in millimetres. */
  readonly w: number;
  readonly h: number;
  readonly ops: readonly Op[];
  /** Its text, for those who cannot see it. */
  readonly alt: string;
}

/** A component with the number of its pieces. */
export interface Counted {
  readonly name: string;
  readonly count: number;
  /** Name of the card that is its picture, if it has one. */
  readonly card?: string;
}

/** A card that a rulebook names and that cannot be shown. */
export interface AbsentCard {
  /** The project has no card of this name, or its component has no layout. */
  readonly reason: 'gone' | 'no-layout';
  /** A card whose name is like it. */
  readonly instead?: string;
}

/** The project's side of a rulebook. */
export interface Project {
  /** Image source of an icon by its name. */
  readonly icons: ReadonlyMap<string, { readonly source: string; readonly meaning: string }>;
  readonly components: readonly Counted[];
  readonly card: (name: string) => CardArt | undefined;
  /** Cards that the document names and that cannot be shown; missing where nobody looked. */
  readonly absent?: ReadonlyMap<string, AbsentCard>;
  /** Names in it that several cards have, each with the names that tell them apart; the first of those is meant. */
  readonly shared?: ReadonlyMap<string, readonly string[]>;
  /** The table as a game begins, or the reason why there is no picture of it; missing where no block shows it. */
  readonly setUp?: SetUpPicture<CardArt> | SetUpProblem | undefined;
  /** The value of a formula as text, or its error. */
  readonly value: (formula: string) => { readonly text: string } | { readonly error: string };
}

export interface SetUpProblem {
  readonly problem: string;
}

export const EMPTY_PROJECT: Project = {
  icons: new Map(),
  components: [],
  card: () => undefined,
  value: (formula) => ({ error: `There is no project to work out ${formula} from.` }),
};

export interface FlowAssets {
  readonly fonts: FontRegistry;
  readonly images: ImageSizes;
  readonly project: Project;
  /** Keeps what one flow made for the next, which is then faster. */
  readonly cache?: FlowCache;
}

export type FlowIssueCode =
  | 'overfull'
  | 'keep-broken'
  | 'too-tall'
  | 'unsettled'
  | 'dead-reference'
  | 'missing-image'
  | 'missing-font'
  | 'missing-glyph'
  | 'missing-icon'
  | 'missing-card'
  | 'missing-set-up'
  | 'bad-value';

/** A problem of a block. The pages are made all the same. */
export interface FlowIssue {
  readonly block: string;
  readonly code: FlowIssueCode;
  /** Names the problem and the remedy. */
  readonly message: string;
}

/** Everything that composing a document needs. Lengths in millimetres. */
export interface Context {
  readonly doc: Rulebook;
  readonly house: HouseStyle;
  readonly assets: FlowAssets;
  readonly numbering: Numbering;
  readonly terms: readonly TermUse[];
  /** Page of each block, as far as known. */
  readonly pages: ReadonlyMap<string, number>;
  /** Baseline to baseline. */
  readonly grid: number;
  /** Language whose rules hyphenate the text; empty for none. */
  readonly hyphenation: string;
  /** From the top of a line of the grid to its baseline. */
  readonly baseline: number;
  /** Height of the body of a page. */
  readonly bodyHeight: number;
  readonly cache: FlowCache;
  readonly report: (issue: FlowIssue) => void;
}
