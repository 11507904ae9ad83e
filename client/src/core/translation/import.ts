import { TranslationError } from './error.ts';
import { isSameLanguage } from './languages.ts';
import { rawText } from './pieces.ts';
import { checkedText, type Entry, type TranslatedUnit } from './translation.ts';
import type { FileHead, FileText, FileUnit, TranslationFile } from './translation-file.ts';
import type { TextForm } from './unit.ts';
import type { TranslationHead } from './xliff-write.ts';

/** A unit of a file, and what becomes of it. */
export interface ImportItem {
  readonly id: string;
  /** Id of what it stands in; nothing for a text that is not there. */
  readonly place: string | undefined;
  readonly heading: string | undefined;
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
 * @param current the translation as it is
 * @throws TranslationError when the file is of something else or of another language
 */
export function planImport(
  { head, units }: TranslationFile,
  wanted: TranslationHead,
  current: readonly TranslatedUnit[],
): ImportPlan {
  checkHead(head, wanted);
  const known = new Map(current.map((one) => [one.unit.id, one]));
  const seen = new Set<string>();
  const items: ImportItem[] = [];
  let [same, empty] = [0, 0];
  for (const unit of units) {
    const found = known.get(unit.id);
    const twice = seen.has(unit.id);
    seen.add(unit.id);
    if (!found) items.push(refused(unit, undefined, `The ${wanted.whole} no longer has this text.`));
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

function checkHead(head: FileHead, wanted: TranslationHead): void {
  const { whole } = wanted;
  if (head.id !== wanted.id) {
    const name = head.title === '' ? '' : ` “${head.title.slice(0, 100)}”`;
    throw new TranslationError(`The file is a translation of another ${whole}${name}: open it there.`);
  }
  if (!isSameLanguage(head.to, wanted.to)) {
    throw new TranslationError(
      `The file is a translation into ${head.to.slice(0, 40) || 'no language'}, not ${wanted.to}: choose that language first.`,
    );
  }
  if (!isSameLanguage(head.from, wanted.from)) {
    throw new TranslationError(
      `The file is a translation from ${head.from.slice(0, 40) || 'no language'}, and this ${whole} is in ${wanted.from}.`,
    );
  }
}

function planUnit(file: FileUnit, known: TranslatedUnit): ImportItem | 'same' | 'empty' {
  const { unit } = known;
  try {
    if ('problem' in file.texts) throw new TranslationError(file.texts.problem);
    const { source: pieces, target } = file.texts;
    if (target === undefined || isBlank(target)) return 'empty';
    const source = textOf(unit.form, pieces);
    const words = textOf(unit.form, target);
    const { former } = file;
    const unfinished = !file.finished && former !== undefined;
    // A stale translation whose words nobody touched stays stale.
    const untouched = unfinished && (known.text === undefined || known.text === words);
    const against = untouched ? former : source;
    const entry: Entry = { source: against, text: checkedText({ ...unit, source: against }, words) };
    return planEntry(entry, known);
  } catch (error) {
    if (error instanceof TranslationError) return refused(file, known, error.message);
    throw error;
  }
}

function planEntry(entry: Entry, { unit, state, text, was }: TranslatedUnit): ImportItem | 'same' {
  const stale = entry.source !== unit.source;
  if (text === entry.text && (state === 'done' ? true : was === entry.source)) return 'same';
  const place = {
    id: unit.id,
    place: unit.place,
    heading: unit.heading,
    label: unit.label,
    source: unit.source,
  };
  if (stale && state === 'done') {
    const problem =
      'Its source has changed since the file was made, and has a new translation, which is kept.';
    return { ...place, change: 'refused', before: text, after: entry.text, stale, problem, entry: undefined };
  }
  const change = text === undefined ? 'added' : text === entry.text ? 'accepted' : 'changed';
  return { ...place, change, before: text, after: entry.text, stale, problem: undefined, entry };
}

function refused(
  { id, name, texts }: FileUnit,
  known: TranslatedUnit | undefined,
  problem: string,
): ImportItem {
  const target = 'problem' in texts ? undefined : texts.target;
  return {
    id,
    place: known?.unit.place,
    heading: known?.unit.heading,
    label: known?.unit.label ?? name.slice(0, 100),
    source: known?.unit.source ?? '',
    change: 'refused',
    before: known?.text,
    after: target === undefined || typeof target === 'string' ? target : rawText(target),
    stale: false,
    problem,
    entry: undefined,
  };
}

const isBlank = (text: FileText): boolean =>
  typeof text === 'string'
    ? text.trim() === ''
    : text.every((piece) => piece.kind === 'break' || (piece.kind === 'words' && piece.text.trim() === ''));

/** A text of a file in the form of its unit. @throws TranslationError for placeholders that do not fit */
const textOf = (form: TextForm, text: FileText): string =>
  form.write(typeof text === 'string' ? form.pieces(text) : text);
