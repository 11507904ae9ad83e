import { useMemo, useState } from 'react';
import { departures, termsIn } from '../../../core/translation/terms.ts';
import type { Entries } from '../../../core/translation/translation.ts';
import type { TranslationHead } from '../../../core/translation/xliff-write.ts';
import { edits } from '../../../data/project/members.ts';
import {
  type CardContents,
  type CardLanguage,
  sourceLanguage,
} from '../../../data/translations/card-language.ts';
import type { TranslationPlace } from '../../../data/translations/translation-place.ts';
import { TermsPanel } from '../../translation/terms-panel.tsx';
import { TranslationPane, type WantedUnit } from '../../translation/translation-pane.tsx';
import { useOpenProject } from '../project/project-gate.tsx';
import { CardPreview } from './card-preview.tsx';
import { LanguageChecks } from './language-checks.tsx';
import css from './languages.module.css';
import type { LaidOut } from './use-laid-out.ts';

const NO_ENTRIES: Entries = new Map();

/** The texts of the cards in one language, with the card that one works on, and what to look at before printing. */
export function LanguageView({
  place,
  chosen,
  all,
  names,
  contents,
  laidOut,
  unit,
  onRemoved,
}: {
  place: TranslationPlace;
  chosen: CardLanguage;
  /** Translations into every language, whose terms are those of the project. */
  all: ReadonlyMap<string, Entries>;
  /** Ids of the units that are names of cards. */
  names: ReadonlySet<string>;
  contents: readonly CardContents[];
  laidOut: LaidOut;
  /** A text to go to at first. */
  unit: string | undefined;
  onRemoved: () => void;
}) {
  const { project, details, role, translates } = useOpenProject();
  const [at, setAt] = useState<string>();
  const [wanted, setWanted] = useState<WantedUnit | undefined>(() =>
    unit === undefined ? undefined : { unit },
  );
  const { language, units } = chosen;
  const mayTranslate = edits(role) || translates.includes(language);
  const terms = useMemo(() => termsIn(language, all), [language, all]);
  const departs = useMemo(
    () =>
      departures(
        units,
        terms,
        units.filter(({ unit: { id } }) => names.has(id)),
      ),
    [units, terms, names],
  );
  const head: TranslationHead = {
    whole: 'project',
    id: project.id,
    title: details.name,
    from: sourceLanguage(details),
    to: language,
  };
  return (
    <div className={css.view}>
      <TranslationPane
        project={project.id}
        place={place}
        head={head}
        units={units}
        entries={all.get(language) ?? NO_ENTRIES}
        mayEdit={mayTranslate}
        mayRemove={edits(role)}
        wanted={wanted}
        departures={departs}
        wide
        onRemoved={onRemoved}
        onPlace={setAt}
      />
      <aside className={css.side} aria-label="The card and its checks">
        <CardPreview
          project={project}
          chosen={chosen}
          contents={contents}
          place={at ?? units[0]?.unit.place}
        />
        <LanguageChecks
          chosen={chosen}
          laidOut={laidOut}
          onUnit={(wantedUnit) => setWanted({ unit: wantedUnit })}
        />
        <TermsPanel place={place} language={language} from={head.from} terms={terms} mayEdit={mayTranslate} />
      </aside>
    </div>
  );
}
