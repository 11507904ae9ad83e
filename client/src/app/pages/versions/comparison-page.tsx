import { Button, NativeSelect } from '@mantine/core';
import { ArrowLeft, ArrowRight, Check, RotateCcw, ScrollText } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import type { JsonObject } from '../../../core/archive/bundle.ts';
import { type Difference, differenceOf, isSame } from '../../../core/versions/difference.ts';
import type { StoredContext } from '../../../core/versions/stored-change.ts';
import { visible } from '../../../core/versions/visible.ts';
import type { Component, WithId } from '../../../data/documents/documents.ts';
import { edits } from '../../../data/project/members.ts';
import { useComponents } from '../../../data/project/queries.ts';
import { NOW } from '../../../data/versions/calls.ts';
import { type ComparedStates, useCompared } from '../../../data/versions/queries.ts';
import type { Compared } from '../../../data/versions/schema.ts';
import { EmptyState, Page, Problem } from '../../../ui/page/page.tsx';
import { RoleNote, useOpenProject } from '../project/project-gate.tsx';
import { ChangeLogWindow } from './change-log-window.tsx';
import { itemGroups, summary } from './changed-items.ts';
import { ChangedList } from './changed-list.tsx';
import { Comparing } from './comparing.tsx';
import css from './comparison.module.css';
import { ComparisonContext, type ComparisonStates } from './comparison-context.ts';
import { ChangeDetail } from './details/change-detail.tsx';
import { Reprint } from './reprint.tsx';
import { RestoreAll } from './restore-all.tsx';
import type { Version } from './timeline.tsx';
import { versionName } from './version-words.ts';

const NO_TEXTS: ComparedStates['texts'] = new Map();
const NO_COMPONENTS: readonly WithId<Component>[] = [];

/** Components as they are now stand in for those that the server did not name. */
function contextOf(compared: Compared, components: readonly WithId<Component>[]): StoredContext[] {
  const known = new Set(compared.context.map(({ path }) => path));
  const now = components.map(({ id, ...value }) => ({
    path: `components/${id}`,
    value: JSON.parse(JSON.stringify(value)) as JsonObject,
  }));
  return [...compared.context, ...now.filter(({ path }) => !known.has(path))];
}

/** The changes as people see them. */
function shownOf(compared: ComparedStates, components: readonly WithId<Component>[]): Difference {
  const alike = [...compared.texts].flatMap(([id, blocks]) => (blocks.length === 0 ? [id] : []));
  return visible(differenceOf(compared.changes, contextOf(compared, components)), new Set(alike));
}

interface ComparisonProps {
  readonly versions: readonly Version[];
  /** Ids of versions, or {@link NOW}. */
  readonly from: string;
  readonly to: string;
  readonly onChoose: (side: 'from' | 'to', id: string) => void;
}

/** Two states of the project beside each other. */
export function ComparisonPage({ versions, from, to, onChoose }: ComparisonProps) {
  const { project } = useOpenProject();
  const live = useComponents(project);
  const components = live.data?.items ?? (live.error ? NO_COMPONENTS : undefined);
  const { data, error, isFetching, refetch } = useCompared(project, from, to);
  const ready = components !== undefined;
  // The page shows one moment until it compares again, whatever somebody changes meanwhile.
  // biome-ignore lint/correctness/useExhaustiveDependencies: components count as they were at that moment
  const difference = useMemo(
    () => (data && components ? shownOf(data, components) : undefined),
    [data, ready],
  );
  const then = versions.find(({ id }) => id === from);
  const later = versions.find(({ id }) => id === to);
  const labels = [
    then ? versionName(then) : 'a deleted version',
    to === NOW ? 'now' : later ? versionName(later) : 'a deleted version',
  ] as const;
  const states = { from, to, labels, texts: data?.texts ?? NO_TEXTS };
  return (
    <Page
      above={
        <Link to={`/decks/${project.id}/versions`}>
          <ArrowLeft size={15} aria-hidden /> Versions
        </Link>
      }
      title="Compare versions"
      actions={
        difference && !isSame(difference) && <Actions difference={difference} states={states} then={then} />
      }
    >
      <RoleNote />
      <States versions={versions} from={from} to={to} onChoose={onChoose} />
      {(error || !difference) && (
        <Comparing
          error={error}
          missing="One of these versions is no longer there."
          busy={isFetching}
          height={360}
          onAgain={() => void refetch()}
        />
      )}
      {difference && !error && (
        <ComparisonContext.Provider value={{ ...states, difference }}>
          <Changes
            key={`${from} ${to}`}
            difference={difference}
            truncated={data?.truncated ?? false}
            damaged={data?.damaged ?? []}
            busy={isFetching}
            onAgain={() => void refetch()}
          />
        </ComparisonContext.Provider>
      )}
    </Page>
  );
}

function Actions({
  difference,
  states,
  then,
}: {
  difference: Difference;
  states: ComparisonStates;
  then: Version | undefined;
}) {
  const { role } = useOpenProject();
  const [log, setLog] = useState(false);
  const [restoring, setRestoring] = useState(false);
  return (
    <>
      <Button
        variant="default"
        leftSection={<ScrollText size={16} aria-hidden />}
        onClick={() => setLog(true)}
      >
        Change log
      </Button>
      {then && edits(role) && (
        <Button
          variant="default"
          leftSection={<RotateCcw size={16} aria-hidden />}
          onClick={() => setRestoring(true)}
        >
          Restore everything
        </Button>
      )}
      <ChangeLogWindow open={log} difference={difference} states={states} onClose={() => setLog(false)} />
      <RestoreAll version={restoring ? then : undefined} onClose={() => setRestoring(false)} />
    </>
  );
}

function States({ versions, from, to, onChoose }: ComparisonProps) {
  const options = versions.map((one) => ({ value: one.id, label: versionName(one) }));
  const unknown = (id: string) =>
    id !== NOW && !versions.some((one) => one.id === id) ? [{ value: id, label: 'A deleted version' }] : [];
  return (
    <div className={css.states}>
      <NativeSelect
        label="From"
        value={from}
        data={[...unknown(from), ...options]}
        onChange={(event) => onChoose('from', event.currentTarget.value)}
      />
      <ArrowRight size={18} aria-hidden />
      <NativeSelect
        label="To"
        value={to}
        data={[{ value: NOW, label: 'The project now' }, ...unknown(to), ...options]}
        onChange={(event) => onChoose('to', event.currentTarget.value)}
      />
    </div>
  );
}

function Changes({
  difference,
  truncated,
  damaged,
  busy,
  onAgain,
}: {
  difference: Difference;
  truncated: boolean;
  damaged: readonly string[];
  busy: boolean;
  onAgain: () => void;
}) {
  const groups = useMemo(() => itemGroups(difference), [difference]);
  const [chosen, setChosen] = useState<string>();
  const keys = groups.flatMap(({ items }) => items.map(({ key }) => key));
  const shown = chosen !== undefined && keys.includes(chosen) ? chosen : keys[0];
  if (shown === undefined) {
    return (
      <EmptyState
        icon={<Check size={26} />}
        title="Nothing differs"
        action={<Again busy={busy} onAgain={onAgain} />}
      >
        Every card, layout, picture, font and rulebook is the same in both.
      </EmptyState>
    );
  }
  return (
    <>
      <div className={css.summary}>
        <p role="status">Different: {summary(difference)}.</p>
        <Again busy={busy} onAgain={onAgain} />
      </div>
      <Reprint difference={difference} />
      {truncated && (
        <Problem title="More changed than can be shown at once.">
          Compare with a version in between to see the rest. Restoring everything restores all of it.
        </Problem>
      )}
      {damaged.length > 0 && (
        <Problem title="Parts of a version are damaged and are not compared.">
          {damaged.slice(0, 5).join(', ')}
          {damaged.length > 5 && ` and ${damaged.length - 5} more`}
        </Problem>
      )}
      <div className={css.columns}>
        <ChangedList groups={groups} shown={shown} onShow={setChosen} />
        <ChangeDetail key={shown} difference={difference} shown={shown} onShow={setChosen} />
      </div>
    </>
  );
}

function Again({ busy, onAgain }: { busy: boolean; onAgain: () => void }) {
  return (
    <Button size="xs" variant="subtle" loading={busy} onClick={onAgain}>
      Compare again
    </Button>
  );
}
