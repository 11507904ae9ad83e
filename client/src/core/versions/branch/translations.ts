import type { JsonObject } from '../../archive/bundle.ts';
import { shortened } from '../../text/cut-text.ts';
import { languageName } from '../../translation/language-names.ts';
import { isTerm } from '../../translation/terms.ts';
import { type Units, unitsIn } from '../languages.ts';
import { textAt } from '../stored-change.ts';
import type { BranchChange, StoredText } from './change.ts';

/** The document of a language in three states, and its parts; `null` where there is none. */
export interface LanguageStates {
  readonly own: Three<JsonObject | null>;
  readonly parts: Three<readonly (JsonObject | null)[]>;
}
interface Three<T> {
  readonly base: T;
  readonly theirs: T;
  readonly mine: T;
}

/** Longest name of a text, in characters. */
const MAX_NAMED = 60;

const textOf = (units: Units, id: string): StoredText | null => {
  const unit = units.get(id);
  const [source, text] = [textAt(unit, 'source'), textAt(unit, 'text')];
  return source && text ? { source, text } : null;
};

const same = (one: StoredText | null, other: StoredText | null): boolean =>
  one?.source === other?.source && one?.text === other?.text;

/** A part that a language has for what is translated. */
export interface LanguageOf {
  readonly language: string;
  /** Its rulebook's id and title; cards have none. */
  readonly rulebook: { readonly id: string; readonly title: string } | undefined;
  /** Key of the change that brings its rulebook, where the project lacks it. */
  readonly needs: readonly string[];
}

/** Changes of a branch on one language of the cards or of a rulebook. @param left gets what cannot be brought back */
export function changedLanguage(
  { language, rulebook, needs: needed }: LanguageOf,
  { own, parts }: LanguageStates,
  left: string[],
): BranchChange[] {
  const name = languageName(language);
  const group = rulebook ? `${rulebook.title} in ${name}` : `Cards in ${name}`;
  const of = { rulebook: rulebook?.id, language };
  const whole = { key: `language ${rulebook?.id ?? ''} ${language}`, group, name };
  const [base, theirs, mine] = [unitsIn(parts.base), unitsIn(parts.theirs), unitsIn(parts.mine)];
  const ids = [...new Set([...theirs.keys(), ...base.keys()])].sort();
  const changed = ids.filter((id) => {
    const is = textOf(theirs, id);
    return !same(is, textOf(mine, id)) && (!own.base || !same(is, textOf(base, id)));
  });
  if (!own.theirs) {
    if (!own.base || !own.mine) return [];
    const all = [...new Set([...mine.keys(), ...base.keys()])];
    const since = all.filter((id) => !same(textOf(base, id), textOf(mine, id))).length;
    const was = [...mine.keys()].flatMap((id) => {
      const text = textOf(mine, id);
      return text ? [[id, text] as const] : [];
    });
    return [
      {
        ...{ ...whole, what: 'Deleted language', conflict: since > 0, theirs: undefined },
        ...{ base: counted(base.size), mine: counted(mine.size) },
        ...(since > 0 && { parts: [{ what: 'Changed since', before: '', after: counted(since) }] }),
        act: { kind: 'removeLanguage', ...of, was: Object.fromEntries(was) },
      },
    ];
  }
  if (own.base && !own.mine) {
    if (changed.length > 0)
      left.push(`${counted(changed.length)} of ${group}, a language that the project deleted.`);
    return [];
  }
  const begins: BranchChange[] = own.mine
    ? []
    : [
        {
          ...{
            ...whole,
            what: 'New language',
            base: undefined,
            theirs: counted(theirs.size),
            mine: undefined,
          },
          ...{ conflict: false, ...(needed.length > 0 && { needs: needed }) },
          act: { kind: 'newLanguage', ...of },
        },
      ];
  const needs = [...begins.map(({ key }) => key), ...needed];
  return [
    ...begins,
    ...changed.map((id): BranchChange => {
      const [then, value, was] = [textOf(base, id), textOf(theirs, id), textOf(mine, id)];
      const source = (value ?? was ?? then)?.source ?? '';
      const again = value && was && value.text === was.text;
      return {
        ...{ key: `${whole.key} ${id}`, group, name: shortened(source, MAX_NAMED) },
        what: isTerm(id) ? 'Term' : again ? 'Translation of the text as it is now' : 'Translation',
        ...{ base: then?.text, theirs: value?.text, mine: was?.text, conflict: !same(then, was) },
        ...(needs.length > 0 && { needs }),
        act: { kind: 'unit', ...of, unit: id, value, was },
      };
    }),
  ];
}

const counted = (texts: number): string => `${texts} ${texts === 1 ? 'text' : 'texts'}`;
