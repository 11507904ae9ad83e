import {
  type CardSet,
  cardPlace,
  cardUnits,
  layoutPlace,
  translatedColumns,
} from '../../core/translation/cards/card-units.ts';
import {
  type LanguageTexts,
  layoutInLanguage,
  namesLanguage,
  rowInLanguage,
  rowWithLanguages,
  type Texts,
} from '../../core/translation/cards/in-language.ts';
import { type SourcesShown, sourcesShown } from '../../core/translation/cards/sources-shown.ts';
import {
  type Entries,
  printedTexts,
  type TranslatedUnit,
  unitStates,
} from '../../core/translation/translation.ts';
import type { Unit } from '../../core/translation/unit.ts';
import {
  type Card,
  type Component,
  type LayoutDocument,
  type ProjectDocument,
  usedLayouts,
  type WithId,
} from '../documents/documents.ts';
import type { ProjectPart } from '../project/project-parts.ts';

/** Language of cards of which nobody said it. */
const USUAL_SOURCE = 'en';

/** Language of a project's own words. */
export const sourceLanguage = ({ language }: Pick<ProjectDocument, 'language'>): string =>
  language || USUAL_SOURCE;

/** A component with its cards. */
export interface CardContents {
  readonly component: WithId<Component>;
  readonly cards: readonly WithId<Card>[];
}

/** All that is translated of components. */
export function cardSets(
  contents: readonly CardContents[],
  layouts: readonly WithId<LayoutDocument>[],
): CardSet[] {
  const known = new Map(layouts.map((one) => [one.id, one]));
  return contents.map(({ component, cards }) => ({
    id: component.id,
    name: component.name,
    columns: component.columns,
    cards,
    layouts: [...new Set(usedLayouts(component))].flatMap((id) => {
      const found = known.get(id);
      return found ? [{ id, name: found.name, layout: found.scene }] : [];
    }),
  }));
}

/** Cards in a language, for painting and printing. */
export interface CardLanguage {
  readonly language: string;
  readonly units: readonly TranslatedUnit[];
  readonly texts: Texts;
  /** Keys of the translated columns by component. */
  readonly columns: ReadonlyMap<string, readonly string[]>;
}

export function cardLanguage(
  language: string,
  sets: readonly CardSet[],
  entries: Entries,
  known: readonly Unit[] = cardUnits(sets),
): CardLanguage {
  const units = unitStates(known, entries);
  const columns = new Map(sets.map((set) => [set.id, translatedColumns(set).map(({ key }) => key)]));
  return { language, units, texts: printedTexts(units), columns };
}

/** A part as it is printed in a language: the source stands where there is no translation. */
export function partInLanguage(one: ProjectPart, { language, texts, columns }: CardLanguage): ProjectPart {
  const { component, cards, sides, part } = one;
  const keys = columns.get(component.id) ?? [];
  return {
    ...one,
    part: {
      ...part,
      language,
      layout: layoutInLanguage(sides.front, part.layout, texts, language),
      back:
        part.back && sides.back !== null
          ? layoutInLanguage(sides.back, part.back, texts, language)
          : part.back,
      cards: part.cards.map((card, at) => {
        const id = cards[at]?.id ?? '';
        return {
          ...card,
          row: rowInLanguage(card.row, { component: component.id, card: id, columns: keys }, texts),
        };
      }),
    },
  };
}

/** Cards in all languages of their project, for formulas that name one. */
export interface AllLanguages {
  /** Language of the cards' own words. */
  readonly source: string;
  readonly texts: LanguageTexts;
  readonly columns: CardLanguage['columns'];
}

export function allLanguages(
  source: string,
  sets: readonly CardSet[],
  entries: ReadonlyMap<string, Entries>,
): AllLanguages {
  const units = cardUnits(sets);
  const spoken = [...entries].map(([tag, one]) => cardLanguage(tag, sets, one, units));
  return {
    source,
    texts: new Map(spoken.map(({ language, texts }) => [language, texts])),
    columns: new Map(sets.map((set) => [set.id, translatedColumns(set).map(({ key }) => key)])),
  };
}

/** A part whose cards know their other languages, where its layouts name one. */
export function partWithLanguages(one: ProjectPart, { source, texts, columns }: AllLanguages): ProjectPart {
  const { component, cards, part } = one;
  if (!partNamesLanguage(one)) return one;
  const keys = columns.get(component.id) ?? [];
  return {
    ...one,
    part: {
      ...part,
      cards: part.cards.map((card, at) => {
        const place = { component: component.id, card: cards[at]?.id ?? '', columns: keys };
        return { ...card, row: rowWithLanguages(card.row, place, source, texts) };
      }),
    },
  };
}

/** True if a layout of a part has a formula that names a language. */
export const partNamesLanguage = ({ part }: ProjectPart): boolean =>
  namesLanguage(part.layout) || (part.back !== null && namesLanguage(part.back));

/** The texts of a language that these parts print. */
export function unitsOfParts(
  { units }: Pick<CardLanguage, 'units'>,
  parts: readonly ProjectPart[],
): readonly TranslatedUnit[] {
  const places = new Set(
    parts.flatMap(({ component, cards, sides }) => [
      ...cards.map(({ id }) => cardPlace(component.id, id)),
      layoutPlace(sides.front),
      ...(sides.back === null ? [] : [layoutPlace(sides.back)]),
    ]),
  );
  return units.filter(({ unit }) => places.has(unit.place));
}

/** Places at which these parts print the source in a language. */
export const sourcesOfParts = (language: CardLanguage, parts: readonly ProjectPart[]): SourcesShown =>
  sourcesShown(unitsOfParts(language, parts));
