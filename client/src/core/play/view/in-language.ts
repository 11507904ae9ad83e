import { withGroupSizes } from '../../layout/group-sizes.ts';
import { own } from '../../records.ts';
import { layoutInLanguage } from '../../translation/cards/in-language.ts';
import { zoneId } from '../../translation/cards/unit-ids.ts';
import { isSameLanguage } from '../../translation/same-language.ts';
import type { BackLook, CommonLook, FaceLook, SpokenLayouts } from '../protocol/looks.ts';
import type { LogLine } from './log-lines.ts';
import type { TableView } from './view.ts';

/** The language of the box that is meant by a tag; nothing for that of the cards' own words, and for unknown ones. */
export function spokenTag(languages: SpokenLayouts | undefined, wanted: string | null): string | undefined {
  if (!languages || !wanted) return undefined;
  const tags = Object.keys(languages.spoken);
  return tags.find((tag) => tag === wanted) ?? tags.find((tag) => isSameLanguage(tag, wanted));
}

/** Results by what they are made of and a language: what did not change stays the same object. */
function kept<K extends WeakKey, T>(make: (of: K, language: string) => T): (of: K, language: string) => T {
  const known = new WeakMap<K, Map<string, T>>();
  return (of, language) => {
    const made = known.get(of) ?? new Map<string, T>();
    known.set(of, made);
    const found = made.get(language) ?? make(of, language);
    made.set(language, found);
    return found;
  };
}

const faceIn = kept((face: FaceLook, language: string): FaceLook => {
  const spoken = face.spoken && own(face.spoken, language);
  if (!spoken) return face;
  const sides = face.sides.map((side, at) => {
    const { name = side.name, words } = spoken.sides[at] ?? {};
    return words || name !== side.name ? { ...side, name, ...(words && { words }) } : side;
  });
  return { ...face, name: spoken.name ?? face.name, sides };
});

const backIn = kept((back: BackLook, language: string): BackLook => {
  const words = back.spoken && own(back.spoken, language);
  return words && back.drawn ? { ...back, drawn: { ...back.drawn, words } } : back;
});

const commonIn = kept((common: CommonLook, language: string): CommonLook => {
  const spoken = (common.languages && own(common.languages.spoken, language)) ?? [];
  const layouts = common.layouts.map((layout, no) => {
    const { texts = {}, sizes = {} } = spoken[no] ?? {};
    const words = new Map(Object.entries(texts).map(([zone, text]) => [zoneId('', zone), text]));
    return withGroupSizes(layoutInLanguage('', layout, words, language), new Map(Object.entries(sizes)));
  });
  return { ...common, layouts };
});

const facesIn = kept((faces: TableView['faces'], language: string): TableView['faces'] => {
  return new Map([...faces].map(([no, face]) => [no, faceIn(face, language)]));
});

const backsIn = kept((backs: TableView['backs'], language: string): TableView['backs'] => {
  return new Map([...backs].map(([no, back]) => [no, backIn(back, language)]));
});

const lineIn = kept((line: LogLine, language: string): LogLine => {
  const text = line.spoken && own(line.spoken, language);
  return text === undefined ? line : { ...line, text };
});

const logIn = kept((log: TableView['log'], language: string): TableView['log'] =>
  log.map((line) => lineIn(line, language)),
);

/** A table whose cards are in a language of its box; in their own words where it has none such. */
export function viewIn(view: TableView, language: string | undefined): TableView {
  const tag = spokenTag(view.common.languages, language ?? null);
  if (tag === undefined) return view;
  return {
    ...view,
    faces: facesIn(view.faces, tag),
    backs: backsIn(view.backs, tag),
    common: commonIn(view.common, tag),
    log: logIn(view.log, tag),
  };
}

/** A table with the faces of each language of its box, for the names on them. */
export function facesInEach<V extends Pick<TableView, 'faces' | 'common'>>(
  view: V,
): readonly (readonly [language: string, view: V])[] {
  const tags = Object.keys(view.common.languages?.spoken ?? {});
  return tags.map((tag) => [tag, { ...view, faces: facesIn(view.faces, tag) }]);
}
