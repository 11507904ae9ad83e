import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, Lock, Table2 } from 'lucide-react';
import { createContext, lazy, type ReactNode, Suspense, useContext, useEffect, useMemo } from 'react';
import { Link, Navigate, useLocation } from 'react-router';
import { languageNames } from '../../../core/translation/language-names.ts';
import { useUser } from '../../../data/account/session.ts';
import {
  type ProjectDocument,
  projectSchema,
  type Role,
  type WithId,
} from '../../../data/documents/documents.ts';
import { comments, edits, languagesOf, ROLE_NAMES, roleOf, sees } from '../../../data/project/members.ts';
import {
  detailsOf,
  type Layouts,
  openLibrary,
  openProject,
  type Project,
} from '../../../data/project/open-project.ts';
import { pathWithProject, whereIsProject } from '../../../data/project/where-is.ts';
import { useLiveDocument } from '../../../data/server/live.ts';
import { describeError, isRefusal } from '../../../data/server/messages.ts';
import { freezeDaily } from '../../../data/versions/daily.ts';
import { readOpenedId } from '../../../data/versions/opened.ts';
import { EmptyState, Loading, Page, Placeholder, Problem, Unseen } from '../../../ui/page/page.tsx';
import { ProjectPlaceContext } from '../../images/project-place.ts';
import { OwnLanguageContext } from '../../painting/own-language.ts';
import { useThingTitle } from '../../shell/document-title.ts';
import { OpenedBanner } from '../versions/opened-banner.tsx';
import { OpenedGate } from '../versions/opened-gate.tsx';
import { OpeningGate } from './opening-gate.tsx';
import { useProjectImages } from './project-images.ts';

/** A project that is open, and what the user may do in it. */
export interface ProjectAccess {
  readonly project: Project;
  readonly details: WithId<ProjectDocument>;
  readonly role: Role;
  /** Languages that a translator writes; everybody else has none here. */
  readonly translates: readonly string[];
  /** The project itself, and the user's role there: of an opened version, the project that it is of, whose members see both. */
  readonly original: { readonly id: string; readonly role: Role; readonly details: WithId<ProjectDocument> };
}

/** The list is for playtesters alone, and this file is everybody's. */
const OpenTables = lazy(async () => ({
  default: (await import('../playtests/open-tables.tsx')).OpenTables,
}));

const NO_LANGUAGES: readonly string[] = [];

const Access = createContext<ProjectAccess | undefined>(undefined);

/** The project that is open around here, and the user's rights; `undefined` outside of any. */
export const useAccess = (): ProjectAccess | undefined => useContext(Access);

/** The same, on screens inside a `ProjectGate`. */
export function useOpenProject(): ProjectAccess {
  const access = useAccess();
  if (!access) throw new Error('This screen needs an open project.');
  return access;
}

/** Handle of the project that is open around here. */
export const useProject = (): Project => useOpenProject().project;

/** The layouts of the project around here; outside of any, those of the user's own library. */
export function useLayoutSource(): Layouts {
  const access = useAccess();
  return useMemo(() => access?.project ?? openLibrary(), [access?.project]);
}

/** The user's role in the project around here. Where there is none, things are the user's own. */
export const useRole = (): Role => useAccess()?.role ?? 'owner';

const back = (
  <Link to="/decks">
    <ArrowLeft size={15} aria-hidden /> Projects
  </Link>
);

function Missing() {
  return (
    <Page title="No such project" above={back}>
      <EmptyState
        icon={<Table2 size={26} />}
        title="This project is not here"
        action={
          <Button component={Link} to="/decks">
            To your projects
          </Button>
        }
      >
        It may have been deleted, or it belongs to somebody who has not invited you.
      </EmptyState>
    </Page>
  );
}

/** A project that is not at this address: it may have got another id since. */
function Elsewhere({ project }: { project: string }) {
  const { uid } = useUser();
  const { pathname, search, hash } = useLocation();
  const { data: id, isPending } = useQuery({
    queryKey: ['where is', uid, project],
    queryFn: () => whereIsProject(project),
  });
  if (isPending) return <Waiting />;
  if (id === undefined || id === project) return <Missing />;
  return <Navigate replace to={{ pathname: pathWithProject(pathname, project, id), search, hash }} />;
}

function Waiting() {
  return (
    <Page
      above={back}
      title={
        <>
          <Unseen>Project</Unseen>
          <Placeholder width={280} height={36} />
        </>
      }
    >
      <Loading label="Loading project" />
      <Placeholder height={320} radius={16} />
    </Page>
  );
}

/** View of playtesters: the closed box. */
function TitlePage({ details: project, owner }: { details: WithId<ProjectDocument>; owner: string }) {
  return (
    <Page above={back} title={project.name} lead={project.description}>
      <EmptyState icon={<Lock size={26} />} title="You are a playtester">
        {project.people[owner] ?? 'The owner'} keeps the cards of this project out of your sight, so that
        playing it spoils nothing. Tables of it that are open are below; to see the cards, ask to be made a
        viewer.
      </EmptyState>
      <Suspense fallback={null}>
        <OpenTables access={{ details: project, role: 'playtester' }} />
      </Suspense>
    </Page>
  );
}

/** Freezes the project before the first change of a day that its editors make here. */
function useDailyVersion({ details: { id, createdAt }, role }: ProjectAccess): void {
  const mayEdit = edits(role);
  useEffect(() => (mayEdit ? freezeDaily({ id, createdAt }) : undefined), [id, createdAt, mayEdit]);
}

/** Contents of an open project, with its images. */
function Opened({ access, children }: { access: ProjectAccess; children: ReactNode }) {
  useProjectImages(access);
  const { id, name, frozenOf, language } = access.details;
  useThingTitle(name);
  const { project, role } = access;
  useDailyVersion(access);
  const place = useMemo(() => ({ project, mayEdit: edits(role) }), [project, role]);
  return (
    <Access.Provider value={access}>
      <ProjectPlaceContext.Provider value={place}>
        <OwnLanguageContext.Provider value={language}>
          {frozenOf !== undefined && <OpenedBanner name={project} details={access.details} />}
          <OpeningGate id={id} kind="project" name={name} back="/decks" waiting={<Waiting />}>
            {children}
          </OpeningGate>
        </OwnLanguageContext.Provider>
      </ProjectPlaceContext.Provider>
    </Access.Provider>
  );
}

/** A role in an opened version: whoever sees the project looks at it, and nobody changes it. */
const roleInOpened = (role: Role | undefined): Role | undefined => (sees(role) ? 'viewer' : role);

/** Shows what is in a project, or in a version of one, to those who may see it. */
export function ProjectGate({ project, children }: { project: string; children: ReactNode }) {
  const opened = readOpenedId(project);
  const gate = (
    <Gate project={project} original={opened?.project ?? project}>
      {children}
    </Gate>
  );
  if (!opened) return gate;
  return (
    <OpenedGate name={opened} waiting={<Waiting />}>
      {gate}
    </OpenedGate>
  );
}

function Gate({
  project: id,
  original,
  children,
}: {
  project: string;
  /** Id of the project that says whose it is and who sees it. */
  original: string;
  children: ReactNode;
}) {
  const { uid } = useUser();
  const { data: details, error } = useLiveDocument(detailsOf(id), projectSchema);
  const { data: named } = useLiveDocument(detailsOf(original), projectSchema);
  const owner = named?.owner;
  // Opened for the account too: after another account signs in, the project may be its own.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `mine` is by the account
  const project = useMemo(() => owner && openProject({ id, owner }), [id, owner, uid]);
  const own = named ? roleOf(named, uid) : undefined;
  const role = original === id ? own : roleInOpened(own);
  const access = useMemo<ProjectAccess | undefined>(() => {
    if (!project || !details || !role || !own || !named) return undefined;
    const translates = role === 'translator' ? languagesOf(details, uid) : NO_LANGUAGES;
    return { project, details, role, translates, original: { id: original, role: own, details: named } };
  }, [project, details, role, original, own, named, uid]);
  if (details === null || isRefusal(error)) return <Elsewhere project={id} />;
  if (error) {
    return (
      <Page title="Project" above={back}>
        <Problem title={describeError(error)} />
      </Page>
    );
  }
  if (!details || !access) return <Waiting />;
  if (details.trashedAt > 0 && !access.project.mine) {
    return (
      <Page above={back} title={details.name}>
        <EmptyState icon={<Table2 size={26} />} title="This project is in the trash">
          {details.people[details.owner] ?? 'Its owner'} can take it out again.
        </EmptyState>
      </Page>
    );
  }
  if (!sees(role)) return <TitlePage details={details} owner={details.owner} />;
  return <Opened access={access}>{children}</Opened>;
}

/** The languages of a translator, and the pages on which they write. */
function TranslatorNote({ access: { project, translates } }: { access: ProjectAccess }) {
  if (translates.length === 0) return 'no language is yours any longer. You can comment on cards.';
  return (
    <>
      you write {languageNames(translates)} under <Link to={`/decks/${project.id}/languages`}>Languages</Link>{' '}
      and in rulebooks, and can comment on cards.
    </>
  );
}

/** The reason that controls are grey, said once on the page; nothing for those who may change things. */
export function RoleNote() {
  const access = useAccess();
  // Of a version it is said above every page.
  if (!access || edits(access.role) || access.details.frozenOf !== undefined) return null;
  const owner = access.details.people[access.project.owner] ?? 'the owner';
  return (
    <p
      role="note"
      style={{
        display: 'flex',
        alignItems: 'center',
        gap: 8,
        color: 'var(--ink-soft)',
        fontSize: 14,
        marginBottom: 20,
      }}
    >
      <Lock size={15} aria-hidden />
      <span>
        {ROLE_NAMES[access.role]} of {owner}’s project:{' '}
        {access.role === 'translator' ? (
          <TranslatorNote access={access} />
        ) : (
          `nothing can be changed here. ${comments(access.role) ? 'You can comment on cards.' : 'You can look at everything.'}`
        )}
      </span>
    </p>
  );
}
