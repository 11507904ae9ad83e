import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { ArrowLeft, Check, GitBranch } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import type { JsonObject } from '../../../../core/archive/bundle.ts';
import { isolated } from '../../../../core/text/names.ts';
import type { BranchChange } from '../../../../core/versions/branch/change.ts';
import { branchChanges } from '../../../../core/versions/branch/changes.ts';
import { choosing, choosingAll, firstChosen } from '../../../../core/versions/branch/choice.ts';
import { projectSchema } from '../../../../data/documents/documents.ts';
import { edits } from '../../../../data/project/members.ts';
import { detailsOf } from '../../../../data/project/open-project.ts';
import { useComponents, useLayouts } from '../../../../data/project/queries.ts';
import { useLiveDocument } from '../../../../data/server/live.ts';
import { bringBack, MAX_BROUGHT_BACK } from '../../../../data/versions/branch/bring-back.ts';
import { compareAgain, useBranchCompared } from '../../../../data/versions/queries.ts';
import { EmptyState, Page, Problem } from '../../../../ui/page/page.tsx';
import { toasts } from '../../../../ui/toasts/engine.ts';
import { tellFailure } from '../../../shell/tell-failure.ts';
import { useAttempt } from '../../../use-attempt.ts';
import { RoleNote, useOpenProject } from '../../project/project-gate.tsx';
import { Comparing } from '../comparing.tsx';
import type { Version } from '../timeline.tsx';
import { restoreAt } from '../use-restoring.ts';
import { versionName } from '../version-words.ts';
import css from './branch.module.css';
import { ChangeRow } from './change-row.tsx';

/** Time in which bringing back can be undone by its note, in milliseconds; later, from the list of versions. */
const UNDO_MS = 15_000;

/** Changes that a branch has made since it began, to be brought back into the project that is open. */
export function BranchPage({
  versions,
  branch,
  from,
}: {
  versions: readonly Version[];
  /** Id of the branch. */
  branch: string;
  /** Id of the version that it began as. */
  from: string;
}) {
  const { project, details } = useOpenProject();
  const name = useLiveDocument(detailsOf(branch), projectSchema).data?.name ?? 'the branch';
  const began = versions.find(({ id }) => id === from);
  const compared = useBranchCompared(project, from, branch);
  const components = useComponents(project).data?.items;
  const layouts = useLayouts(project);
  const named = layouts.data?.items ?? (layouts.error ? [] : undefined);
  const ready = components !== undefined && named !== undefined;
  // The page shows one moment until it compares again, whatever somebody changes meanwhile.
  // biome-ignore lint/correctness/useExhaustiveDependencies: components count as they were at that moment
  const found = useMemo(() => {
    if (!compared.data || !components || !named) return undefined;
    const documents = components.map(
      ({ id, ...fields }) => [id, JSON.parse(JSON.stringify(fields)) as JsonObject] as const,
    );
    const { theirs, mine, texts } = compared.data;
    const unchanged = new Map([...mine.context, ...theirs.context].map(({ path, value }) => [path, value]));
    const names = new Map(named.map(({ id, name }) => [id, name]));
    const today = { components: new Map(documents), layouts: names, texts };
    return branchChanges(theirs.changes, mine.changes, today, unchanged);
  }, [compared.data, ready]);
  const { error, isFetching, refetch } = compared;
  const truncated = compared.data && (compared.data.theirs.truncated || compared.data.mine.truncated);
  return (
    <Page
      above={
        <Link to={`/decks/${project.id}/versions`}>
          <ArrowLeft size={15} aria-hidden /> Versions
        </Link>
      }
      title="Bring changes back"
      lead={`Changes that ${name} has made since it began as ${began ? versionName(began) : 'a version'} of ${isolated(details.name)}.`}
    >
      <RoleNote />
      {(error || !found) && (
        <Comparing
          error={error}
          missing="The branch, or the version that it began as, is no longer there."
          busy={isFetching}
          height={320}
          onAgain={() => void refetch()}
        />
      )}
      {truncated && (
        <Problem title="More changed than can be shown at once.">
          Bring these back first, then freeze the project and begin another branch.
        </Problem>
      )}
      {found && !error && (
        <Choose
          key={compared.dataUpdatedAt}
          changes={found.changes}
          left={found.left}
          branch={{ id: branch, name }}
          busy={isFetching}
          onAgain={() => void refetch()}
        />
      )}
    </Page>
  );
}

const grouped = (changes: readonly BranchChange[]) => {
  const groups = new Map<string, BranchChange[]>();
  for (const change of changes) groups.set(change.group, [...(groups.get(change.group) ?? []), change]);
  return [...groups];
};

const counted = (n: number): string => `${n} ${n === 1 ? 'change' : 'changes'}`;

function Choose({
  changes,
  left,
  branch,
  busy,
  onAgain,
}: {
  changes: readonly BranchChange[];
  left: readonly string[];
  branch: Branch;
  busy: boolean;
  onAgain: () => void;
}) {
  const { role } = useOpenProject();
  const mayEdit = edits(role);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => firstChosen(changes, MAX_BROUGHT_BACK));
  const { running, failure, run } = useBringingBack(branch);
  const taken = changes.filter(({ key }) => chosen.has(key));
  const conflicts = changes.filter(({ conflict }) => conflict).length;
  if (changes.length === 0) {
    return (
      <>
        <EmptyState
          icon={<Check size={26} />}
          title="Nothing to bring back"
          action={
            <Button size="xs" variant="subtle" loading={busy} onClick={onAgain}>
              Compare again
            </Button>
          }
        >
          The project has everything that can be brought back as the branch has it.
        </EmptyState>
        <Left left={left} />
      </>
    );
  }
  const choose = (key: string, on: boolean) => setChosen((known) => choosing(changes, known, key, on));
  return (
    <>
      <div className={css.bar}>
        <p role="status">
          {counted(taken.length)} of {changes.length} chosen
          {conflicts > 0 && `, ${conflicts} changed on both sides`}
        </p>
        <Button size="xs" variant="subtle" loading={busy} onClick={onAgain}>
          Compare again
        </Button>
        {mayEdit && (
          <Button
            leftSection={<GitBranch size={16} aria-hidden />}
            loading={running}
            disabled={taken.length === 0 || taken.length > MAX_BROUGHT_BACK}
            onClick={() => run(taken)}
          >
            Bring back {counted(taken.length)}
          </Button>
        )}
      </div>
      {taken.length > MAX_BROUGHT_BACK && (
        <Problem title={`At most ${MAX_BROUGHT_BACK} changes come back at once.`}>
          Choose fewer, then the others.
        </Problem>
      )}
      {failure && <Problem title={failure} />}
      {taken.length === MAX_BROUGHT_BACK && changes.length - conflicts > MAX_BROUGHT_BACK && (
        <p className={css.what}>
          {MAX_BROUGHT_BACK} changes come back at once: bring these back, then the others.
        </p>
      )}
      {grouped(changes).map(([group, own]) => (
        <section key={group} className={css.group} aria-label={group}>
          <GroupHead
            group={group}
            all={own.every(({ key }) => chosen.has(key))}
            several={mayEdit && own.length > 1}
            onChoose={(on) =>
              setChosen((known) =>
                choosingAll(
                  changes,
                  known,
                  own.map(({ key }) => key),
                  on,
                ),
              )
            }
          />
          <ul>
            {own.map((change) => (
              <ChangeRow
                key={change.key}
                change={change}
                chosen={chosen.has(change.key)}
                mayEdit={mayEdit}
                onChoose={(on) => choose(change.key, on)}
              />
            ))}
          </ul>
        </section>
      ))}
      <Left left={left} />
    </>
  );
}

/** Name of a group, and a way to choose all of it, or none. */
function GroupHead({
  group,
  all,
  several,
  onChoose,
}: {
  group: string;
  all: boolean;
  several: boolean;
  onChoose: (on: boolean) => void;
}) {
  return (
    <div className={css.head}>
      <h2>{group}</h2>
      {several && (
        <Button
          size="compact-xs"
          variant="subtle"
          aria-label={`${all ? 'None' : 'All'} of ${group}`}
          onClick={() => onChoose(!all)}
        >
          {all ? 'None' : 'All'}
        </Button>
      )}
    </div>
  );
}

function Left({ left }: { left: readonly string[] }) {
  if (left.length === 0) return null;
  return (
    <section className={css.left} aria-label="Cannot be brought back">
      <h2>Cannot be brought back</h2>
      <ul>
        {left.map((words) => (
          <li key={words}>{words}</li>
        ))}
      </ul>
    </section>
  );
}

interface Branch {
  readonly id: string;
  readonly name: string;
}

/** Brings changes back, with the way back. */
function useBringingBack({ id, name }: Branch) {
  const { project } = useOpenProject();
  const client = useQueryClient();
  const { busy, failure, attempt } = useAttempt();
  const [running, setRunning] = useState(false);
  const run = (changes: readonly BranchChange[]) => {
    setRunning(true);
    void attempt(async () => {
      const { frozen, paths } = await bringBack(
        project,
        id,
        changes.map(({ act }) => act),
      );
      const undo = () =>
        void restoreAt(project, frozen, paths).then(() => {
          toasts.show(`${project.mine ? 'Your project' : 'The project'} is as it was before.`, {
            type: 'success',
          });
          return compareAgain(client, project);
        }, tellFailure);
      toasts.show(
        `${counted(changes.length)} of ${name} brought back. What was there is kept as a version.`,
        {
          type: 'success',
          autoCloseTime: UNDO_MS,
          actions: [{ buttonText: 'Undo', function: undo }],
        },
      );
      await compareAgain(client, project);
    }).finally(() => setRunning(false));
  };
  return { running: running && (busy || failure === undefined), failure, run };
}
