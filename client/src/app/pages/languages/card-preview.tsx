import { useMemo } from 'react';
import { cardPlace } from '../../../core/translation/cards/card-units.ts';
import { languageName } from '../../../core/translation/languages.ts';
import type { Project } from '../../../data/project/open-project.ts';
import { type ProjectPart, projectParts } from '../../../data/project/project-parts.ts';
import { useLayouts } from '../../../data/project/queries.ts';
import {
  type CardContents,
  type CardLanguage,
  partInLanguage,
} from '../../../data/translations/card-language.ts';
import { PaintedCard } from '../../painting/painted-card.tsx';
import css from './languages.module.css';

/** Width of a card beside the texts, in CSS pixels. */
const WIDTH = 230;

/** The card that a text belongs to, in the chosen language. */
export function CardPreview({
  project,
  chosen,
  contents,
  place,
}: {
  project: Project;
  chosen: CardLanguage;
  contents: readonly CardContents[];
  place: string | undefined;
}) {
  const layouts = useLayouts(project).data?.items;
  const found = useMemo(
    () =>
      contents
        .flatMap(({ component, cards }) => cards.map((card) => ({ component, card })))
        .find(({ component, card }) => cardPlace(component.id, card.id) === place),
    [contents, place],
  );
  const [part] = useMemo(
    (): ProjectPart[] =>
      found && layouts
        ? projectParts(found.component, [found.card], layouts).map((one) => partInLanguage(one, chosen))
        : [],
    [found, layouts, chosen],
  );
  const row = part?.part.cards[0]?.row;
  if (!part || !row) return <p className={css.note}>Choose a text of a card to see the card.</p>;
  return (
    <PaintedCard
      layout={part.part.layout}
      cells={row.cells}
      words={row.words}
      columns={part.component.columns}
      width={WIDTH}
      label={`The card in ${languageName(chosen.language)}`}
    />
  );
}
