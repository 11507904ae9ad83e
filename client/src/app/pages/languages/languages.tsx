import { Button } from '@mantine/core';
import { ArrowLeft, Languages as Icon, Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import { isolated } from '../../../core/text/names.ts';
import { cardUnits, nameUnits } from '../../../core/translation/cards/card-units.ts';
import { languageName } from '../../../core/translation/languages.ts';
import type { Entries } from '../../../core/translation/translation.ts';
import { edits } from '../../../data/project/members.ts';
import { useLayouts } from '../../../data/project/queries.ts';
import { describeError } from '../../../data/server/messages.ts';
import { type CardLanguage, cardLanguage, sourceLanguage } from '../../../data/translations/card-language.ts';
import { projectTranslations } from '../../../data/translations/translation-place.ts';
import { useCardSets, useProjectLanguages } from '../../../data/translations/use-card-languages.ts';
import { EmptyState, Loading, Page, Placeholder, Problem } from '../../../ui/page/page.tsx';
import { AddLanguage } from '../../translation/add-language.tsx';
import { ProjectGate, RoleNote, useOpenProject } from '../project/project-gate.tsx';
import { LanguageTable } from './language-table.tsx';
import { LanguageView } from './language-view.tsx';
import { SourceLanguage } from './source-language.tsx';
import { useLaidOut } from './use-laid-out.ts';

const NO_ENTRIES: Entries = new Map();
const NO_LANGUAGES: readonly string[] = [];

/** `/decks/{id}/languages`: the words of a project's cards in other languages. */
export function Component() {
  const { id = '' } = useParams();
  return (
    <ProjectGate key={id} project={id}>
      <LanguagesPage />
    </ProjectGate>
  );
}

function LanguagesPage() {
  const { project, details, role } = useOpenProject();
  const mayEdit = edits(role);
  const { languages, entries, error } = useProjectLanguages(project);
  const { contents, sets, error: failed } = useCardSets(project);
  const [search, setSearch] = useSearchParams();
  const [adding, setAdding] = useState(false);
  const source = sourceLanguage(details);
  const units = useMemo(() => sets && cardUnits(sets), [sets]);
  const all = useMemo(
    () =>
      sets && units && languages
        ? languages.map((tag): CardLanguage => cardLanguage(tag, sets, entries.get(tag) ?? NO_ENTRIES, units))
        : undefined,
    [sets, units, languages, entries],
  );
  const names = useMemo(() => nameUnits(sets ?? []), [sets]);
  const place = useMemo(() => projectTranslations(project), [project]);
  const layouts = useLayouts(project).data?.items;
  const laidOut = useLaidOut(contents, layouts, languageName);
  const chosen = all?.find(({ language }) => language === search.get('language'));
  const failure = error ?? failed;
  const show = (language: string | undefined) => setSearch(language === undefined ? {} : { language });
  const toAdd = mayEdit && (
    <Button leftSection={<Plus size={17} aria-hidden />} onClick={() => setAdding(true)}>
      Add a language
    </Button>
  );
  return (
    <Page
      above={
        chosen ? (
          <Link to={`/decks/${project.id}/languages`}>
            <ArrowLeft size={15} aria-hidden /> Languages
          </Link>
        ) : (
          <Link to={`/decks/${project.id}`}>
            <ArrowLeft size={15} aria-hidden /> {details.name}
          </Link>
        )
      }
      title={chosen ? languageName(chosen.language) : 'Languages'}
      lead={chosen ? `The cards of ${isolated(details.name)}` : 'The words of your cards in other languages.'}
      actions={!chosen && languages && languages.length > 0 ? toAdd : undefined}
    >
      <RoleNote />
      {failure && <Problem title={describeError(failure)} />}
      {!all && !failure && (
        <>
          <Loading label="Loading languages" />
          <Placeholder height={320} radius={16} />
        </>
      )}
      {all && contents && chosen && (
        <LanguageView
          key={chosen.language}
          place={place}
          chosen={chosen}
          all={entries}
          names={names}
          contents={contents}
          laidOut={laidOut}
          unit={search.get('unit') ?? undefined}
          onRemoved={() => show(undefined)}
        />
      )}
      {all && !chosen && (
        <SourceLanguage
          project={project}
          language={source}
          known={languages ?? NO_LANGUAGES}
          mayEdit={mayEdit}
        />
      )}
      {all && !chosen && all.length > 0 && <LanguageTable all={all} laidOut={laidOut} />}
      {all?.length === 0 && (
        <EmptyState icon={<Icon size={26} />} title="One language so far" action={toAdd || undefined}>
          Add another to translate your cards beside their own words, by hand or with XLIFF, and to print them
          in it.
        </EmptyState>
      )}
      <AddLanguage
        open={adding}
        place={place}
        source={source}
        known={languages ?? NO_LANGUAGES}
        onAdded={show}
        onClose={() => setAdding(false)}
      />
    </Page>
  );
}
