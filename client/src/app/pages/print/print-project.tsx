import { Button, Group, NativeSelect, SegmentedControl } from '@mantine/core';
import { ArrowLeft, FileDown, Printer } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { Link, useLocation, useNavigate, useParams } from 'react-router';
import { sameSize } from '../../../core/scene/sizes.ts';
import type {
  Component as CardsComponent,
  LayoutDocument,
  WithId,
} from '../../../data/documents/documents.ts';
import { ownLayouts } from '../../../data/layouts/own-layouts.ts';
import { startLayout } from '../../../data/layouts/start-layout.ts';
import { edits } from '../../../data/project/members.ts';
import type { Project } from '../../../data/project/open-project.ts';
import { chooseBackLayout } from '../../../data/project/printing.ts';
import { type ProjectPart, projectParts } from '../../../data/project/project-parts.ts';
import { useComponents, useLayouts } from '../../../data/project/queries.ts';
import { describeError } from '../../../data/server/messages.ts';
import {
  partInLanguage,
  partNamesLanguage,
  partWithLanguages,
  sourceLanguage,
} from '../../../data/translations/card-language.ts';
import { EmptyState, Loading, Page, Placeholder, Problem } from '../../../ui/page/page.tsx';
import { tellFailure } from '../../shell/tell-failure.ts';
import { usePageSearch } from '../../use-page-search.ts';
import { newZoneId } from '../editor/new-zone-id.ts';
import {
  AlsoInField,
  LanguageField,
  SourcesNote,
  UnknownLanguage,
  useExportLanguage,
} from '../languages/export-language.tsx';
import { ProjectGate, useAccess, useOpenProject } from '../project/project-gate.tsx';
import { openedLabel } from '../versions/version-words.ts';
import { ExportNews } from './export-news.tsx';
import { EXPORT_TARGETS, PAPER } from './export-targets.ts';
import type { SeveralLanguages } from './languages/other-languages.ts';
import { BackLayoutField } from './paper-panel.tsx';
import css from './print.module.css';
import { CardsLoader, type CardsState, useFittedParts } from './project-parts.tsx';

/** `/decks/print/{project}/{cardType?}`: without a component, all of them. */
export function Component() {
  const { deck: project = '' } = useParams();
  return (
    <ProjectGate key={project} project={project}>
      <ExportPage />
    </ProjectGate>
  );
}

function ExportPage() {
  const { cardType } = useParams();
  const { project, details } = useOpenProject();
  const { data, error } = useComponents(project);
  const components = data?.items;
  const chosen = components?.filter((one) => cardType === undefined || one.id === cardType);
  return (
    <Page
      above={
        <Link to={`/decks/${project.id}${cardType ? `?component=${cardType}` : ''}`}>
          <ArrowLeft size={15} aria-hidden /> {details.name}
        </Link>
      }
      title="Export"
      lead="On paper, as pictures, to a virtual table, or to a printer."
    >
      <ExportNews />
      {error && <Problem title={describeError(error)} />}
      {!components && !error && <Waiting />}
      {chosen?.length === 0 && (
        <EmptyState
          icon={<Printer size={26} />}
          title={components?.length === 0 ? 'Nothing to print yet' : 'This component is not here'}
          action={
            <Button component={Link} to={`/decks/${project.id}`}>
              To the project
            </Button>
          }
        >
          {components?.length === 0
            ? 'Import a card list into the project first.'
            : 'It may have been deleted. Choose another in the project.'}
        </EmptyState>
      )}
      {components && chosen && chosen.length > 0 && (
        <ExportProject
          key={cardType ?? ''}
          project={project}
          name={details.frozenOf === undefined ? details.name : `${details.name} ${openedLabel(details)}`}
          components={components}
          chosen={chosen}
          cardType={cardType}
        />
      )}
    </Page>
  );
}

function Waiting({ formulas = false }: { formulas?: boolean }) {
  return (
    <>
      <Loading label={formulas ? 'Working out formulas and texts' : 'Loading cards'} />
      <Placeholder height={420} radius={16} />
    </>
  );
}

function ExportProject({
  project,
  name,
  components,
  chosen,
  cardType,
}: {
  project: Project;
  name: string;
  components: readonly WithId<CardsComponent>[];
  chosen: readonly WithId<CardsComponent>[];
  cardType: string | undefined;
}) {
  const navigate = useNavigate();
  const { details } = useOpenProject();
  const layouts = useLayouts(project);
  const [search, setSearch] = usePageSearch();
  const { hash } = useLocation();
  const target = EXPORT_TARGETS.find(({ value }) => value === search.get('to')) ?? PAPER;
  const [loaded, setLoaded] = useState<ReadonlyMap<string, CardsState>>(new Map());
  const onCards = useCallback(
    (component: string, state: CardsState) =>
      setLoaded((known) => {
        // The last cards stay while formulas of new ones are worked out.
        const waits = !state.cards && !state.error;
        return waits && known.get(component)?.cards ? known : new Map(known).set(component, state);
      }),
    [],
  );
  const listed = layouts.data?.items;
  const known = useMemo(() => listed && ownLayouts(listed, details.language), [listed, details.language]);
  const unfitted = useMemo(() => {
    if (!known || !chosen.every(({ id }) => loaded.get(id)?.cards)) return undefined;
    return chosen.flatMap((component): ProjectPart[] => {
      return projectParts(component, loaded.get(component.id)?.cards ?? [], known);
    });
  }, [chosen, loaded, known]);
  const language = useExportLanguage(project, chosen, loaded, known);
  const { chosen: spokenIn, languages: spokenAll } = language;
  const inAll = useMemo(
    () =>
      // Layouts that name a language wait for all of them.
      spokenAll || !unfitted?.some(partNamesLanguage)
        ? unfitted?.map((one) => (spokenAll ? partWithLanguages(one, spokenAll) : one))
        : undefined,
    [unfitted, spokenAll],
  );
  const spoken = useMemo(
    () => inAll?.map((one) => (spokenIn ? partInLanguage(one, spokenIn) : one)),
    [inAll, spokenIn],
  );
  const fitted = useFittedParts(spoken);
  // Neither words of a language that has not come yet, nor those of another than the one asked for.
  const parts = language.waits || language.unknown !== undefined ? undefined : fitted;
  const failure =
    layouts.error ?? language.error ?? chosen.map(({ id }) => loaded.get(id)?.error).find(Boolean);
  const without = chosen.filter(({ id }) => parts && !parts.some(({ component }) => component.id === id));
  const only = parts?.length === 1 && chosen.length === 1 ? parts[0] : undefined;
  const about = [name, only && only.component.name !== name ? only.component.name : '']
    .filter(Boolean)
    .join(', ');
  const { also } = language;
  const several = useMemo((): SeveralLanguages | undefined => {
    if (also.length === 0 || !inAll) return undefined;
    return {
      title: `${about} in ${also.length + 1} languages`,
      others: also.map(({ tag, words }) => ({
        title: `${about} ${tag}`,
        projectParts: words ? inAll.map((one) => partInLanguage(one, words)) : inAll,
      })),
    };
  }, [also, inAll, about]);
  // Among files of several languages, that of the cards' own words says its language, too.
  const shownTag = language.chosen?.language ?? (several ? sourceLanguage(details) : '');
  const title = [about, shownTag].filter(Boolean).join(' ');
  return (
    <>
      {chosen.map((component) => (
        <CardsLoader key={component.id} project={project} component={component} onCards={onCards} />
      ))}
      {failure && <Problem title={describeError(failure)} />}
      <UnknownLanguage language={language} />
      {!parts && !failure && language.unknown === undefined && (
        <Waiting formulas={chosen.every(({ id }) => loaded.has(id))} />
      )}
      {(parts || language.unknown !== undefined) && (
        <div className={css.bar}>
          <SegmentedControl
            aria-label="Export to"
            className={css.targets}
            value={target.value}
            data={EXPORT_TARGETS.map(({ value, label }) => ({ value, label }))}
            onChange={(to) => setSearch('to', to === PAPER.value ? '' : to)}
          />
          {components.length > 1 && (
            <NativeSelect
              label="Component"
              value={cardType ?? ''}
              data={[
                { value: '', label: 'The whole project' },
                ...components.map((one) => ({ value: one.id, label: one.name })),
              ]}
              onChange={(event) => {
                const id = event.currentTarget.value;
                const pathname = `/decks/print/${project.id}${id ? `/${id}` : ''}`;
                void navigate({ pathname, search: `${search}`, hash }, { replace: true });
              }}
            />
          )}
          <LanguageField language={language} />
          {only && known && <BackOf project={project} only={only} layouts={known} />}
        </div>
      )}
      {parts && <AlsoInField language={language} />}
      {parts && language.chosen && <SourcesNote project={project} chosen={language.chosen} parts={parts} />}
      {parts && without.length > 0 && parts.length > 0 && (
        <p className={css.hint}>
          Left out, because they have no layout yet: {without.map(({ name: one }) => one).join(', ')}.
        </p>
      )}
      {parts?.length === 0 && <WithoutLayout project={project} chosen={chosen} loaded={loaded} />}
      {parts && parts.length > 0 && (
        <target.Panel project={project} title={title} projectParts={parts} several={several} />
      )}
    </>
  );
}

/** Nothing can be printed before it has a look. */
function WithoutLayout({
  project,
  chosen,
  loaded,
}: {
  project: Project;
  chosen: readonly WithId<CardsComponent>[];
  loaded: ReadonlyMap<string, CardsState>;
}) {
  const mayEdit = edits(useAccess()?.role);
  const [busy, setBusy] = useState(false);
  const start = async () => {
    setBusy(true);
    try {
      for (const component of chosen)
        await startLayout(project, component, loaded.get(component.id)?.cards ?? [], newZoneId);
    } catch (error) {
      tellFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <EmptyState
      icon={<FileDown size={26} />}
      title="These cards have no layout yet"
      action={
        <Group justify="center">
          {mayEdit && (
            <Button data-tutorial="start-layout" loading={busy} onClick={() => void start()}>
              Start a layout from these columns
            </Button>
          )}
          <Button
            variant="default"
            component={Link}
            to={`/decks/${project.id}${chosen[0] ? `?component=${chosen[0].id}` : ''}`}
          >
            Choose a layout
          </Button>
        </Group>
      }
    >
      A layout says how they look on paper.
    </EmptyState>
  );
}

function BackOf({
  project,
  only,
  layouts,
}: {
  project: Project;
  only: ProjectPart;
  layouts: readonly WithId<LayoutDocument>[];
}) {
  const { component, part } = only;
  const access = useAccess();
  // A back must be as large as its front.
  const fitting = layouts.filter(({ scene }) => sameSize(scene, part.layout));
  return (
    <BackLayoutField
      value={fitting.some(({ id }) => id === component.backLayoutId) ? component.backLayoutId : null}
      layouts={fitting}
      disabled={access !== undefined && !edits(access.role)}
      onChange={(layout) => {
        chooseBackLayout(project, component.id, layout).catch(tellFailure);
      }}
    />
  );
}
