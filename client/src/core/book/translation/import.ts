import { RulebookError } from '../document/error.ts';
import type { Rulebook } from '../document/schema.ts';
import { isSameLanguage } from './languages.ts';
import { inlinesOf, type Piece, readNotation, unescaped, writeNotation } from './notation.ts';
import { type Entries, type Entry, type TranslatedUnit, translatedUnits } from './translation.ts';
import { checkedText, type Unit } from './units.ts';
import type { XliffFile, XliffUnit } from './xliff-read.ts';
import type { XliffHead } from './xliff-write.ts';

/** A unit of a file, and what becomes of it. */
export interface ImportItem {
  readonly id: string;
  /** Id of the block; nothing for what the rulebook does not have. */
  readonly block: string | undefined;
  /** Kind of text, such as a cell, and its words. */
  readonly label: string;
  readonly source: string;
  /** `accepted` keeps the words of a stale translation. */
  readonly change: 'added' | 'changed' | 'accepted' | 'refused';
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** True if its source has changed since the file was made. */
  readonly stale: boolean;
  /** Reason of a refusal. */
  readonly problem: string | undefined;
  /** To be stored; nothing for what is refused. */
  readonly entry: Entry | undefined;
}

/** Everything that taking a file in would change, and what is refused of it. */
export interface ImportPlan {
  readonly items: readonly ImportItem[];
  /** Units that are there already, and units without a translation. */
  readonly same: number;
  readonly empty: number;
}

/**
 * Compares a file with a translation. Nothing is changed.
 * @throws RulebookError when the file is of another rulebook or language
 */
export function planImport(
  { head, units }: XliffFile,
  wanted: XliffHead,
  book: Rulebook,
  entries: Entries,
): ImportPlan {
  checkHead(head, wanted);
  const known = new Map(translatedUnits(book, entries).map((one) => [one.unit.id, one]));
  const seen = new Set<string>();
  const items: ImportItem[] = [];
  let [same, empty] = [0, 0];
  for (const unit of units) {
    const found = known.get(unit.id);
    const twice = seen.has(unit.id);
    seen.add(unit.id);
    if (!found) items.push(refused(unit, undefined, 'The rulebook no longer has this text.'));
    else if (twice) items.push(refused(unit, found, 'The file has this text twice; the first one counts.'));
    else {
      const item = planUnit(unit, found);
      if (item === 'same') same++;
      else if (item === 'empty') empty++;
      else items.push(item);
    }
  }
  return { items, same, empty };
}

function checkHead(head: XliffHead, wanted: XliffHead): void {
  if (head.rulebook !== wanted.rulebook) {
    const name = head.title === '' ? '' : ` “${head.title.slice(0, 100)}”`;
    throw new RulebookError(`The file is a translation of another rulebook${name}: open it there.`);
  }
  if (!isSameLanguage(head.to, wanted.to)) {
    throw new RulebookError(
      `The file is a translation into ${head.to.slice(0, 40) || 'no language'}, not ${wanted.to}: choose that language first.`,
    );
  }
  if (!isSameLanguage(head.from, wanted.from)) {
    throw new RulebookError(
      `The file is a translation from ${head.from.slice(0, 40) || 'no language'}, and this rulebook is in ${wanted.from}.`,
    );
  }
}

function planUnit(file: XliffUnit, known: TranslatedUnit): ImportItem | 'same' | 'empty' {
  const { unit } = known;
  try {
    if ('problem' in file.texts) throw new RulebookError(file.texts.problem);
    const { source: pieces, target } = file.texts;
    if (target === undefined || isBlank(target)) return 'empty';
    const source = textOf(unit, pieces);
    const words = textOf(unit, target);
    const former = file.former === undefined ? undefined : formerOf(unit, file.former);
    const unfinished = !file.finished && former !== undefined;
    // A stale translation whose words nobody touched stays stale.
    const untouched = unfinished && (known.text === undefined || known.text === words);
    const against = untouched ? former : source;
    const entry: Entry = { source: against, text: checkedText({ ...unit, source: against }, words) };
    return planEntry(entry, known);
  } catch (error) {
    if (error instanceof RulebookError) return refused(file, known, error.message);
    throw error;
  }
}

function planEntry(entry: Entry, { unit, state, text, was }: TranslatedUnit): ImportItem | 'same' {
  const stale = entry.source !== unit.source;
  if (text === entry.text && (state === 'done' ? true : was === entry.source)) return 'same';
  const place = { id: unit.id, block: unit.block, label: unit.label, source: unit.source };
  if (stale && state === 'done') {
    const problem =
      'Its source has changed since the file was made, and has a new translation, which is kept.';
    return { ...place, change: 'refused', before: text, after: entry.text, stale, problem, entry: undefined };
  }
  const change = text === undefined ? 'added' : text === entry.text ? 'accepted' : 'changed';
  return { ...place, change, before: text, after: entry.text, stale, problem: undefined, entry };
}

function refused(
  { id, name, texts }: XliffUnit,
  known: TranslatedUnit | undefined,
  problem: string,
): ImportItem {
  const target = 'problem' in texts ? undefined : texts.target;
  return {
    id,
    block: known?.unit.block,
    label: known?.unit.label ?? name.slice(0, 100),
    source: known?.unit.source ?? '',
    change: 'refused',
    before: known?.text,
    after: target
      ?.map((piece) => ('text' in piece ? piece.text : 'token' in piece ? piece.token : '\n'))
      .join(''),
    stale: false,
    problem,
    entry: undefined,
  };
}

const isBlank = (pieces: readonly Piece[]): boolean =>
  pieces.every((piece) => piece.kind === 'break' || (piece.kind === 'words' && piece.text.trim() === ''));

/** A text of a file in the form of its unit. @throws RulebookError for placeholders that do not fit */
function textOf({ form }: Pick<Unit, 'form'>, pieces: readonly Piece[]): string {
  if (form === 'notation') return writeNotation(inlinesOf(pieces));
  return pieces
    .map((piece) => {
      if (piece.kind === 'break') return '\n';
      if (piece.kind === 'words') return piece.text;
      throw new RulebookError(`${piece.token} cannot stand in this text: it has no placeholders.`);
    })
    .join('');
}

/** The former source of a note. */
const formerOf = ({ form }: Unit, note: string): string =>
  form === 'notation' ? writeNotation(readNotation(note)) : unescaped(note);
