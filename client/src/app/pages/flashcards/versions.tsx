import { NativeSelect } from '@mantine/core';
import { useMemo, useRef, useState } from 'react';
import type { Layout } from '../../../core/scene/layout.ts';
import type {
  Card,
  Component as CardComponent,
  LayoutVersion,
  TableColumn,
  WithId,
} from '../../../data/documents/documents.ts';
import { MAX_VERSIONS } from '../../../data/layouts/layout-versions.ts';
import type { Project } from '../../../data/project/open-project.ts';
import { useLayoutVersions } from '../../../data/project/queries.ts';
import { describeError } from '../../../data/server/messages.ts';
import { dayAndTime } from '../../../ui/dates.ts';
import { Problem } from '../../../ui/page/page.tsx';
import { useFittedLayout } from '../../painting/use-group-sizes.ts';
import { CardFace } from './card-face.tsx';
import css from './flashcards.module.css';

/** A version that a card is compared with, and the layout that it is of. */
export interface Compared {
  readonly layout: string;
  readonly version: WithId<LayoutVersion>;
}

/** Versions read before somebody asks for earlier ones. */
export const FIRST_READ = 8;
const EARLIER = 'earlier';

const nameOf = ({ name, at }: LayoutVersion): string => {
  const time = at === 0 ? 'just now' : dayAndTime(at);
  return name ? `${name}, ${time}` : time;
};

/** Chooses a version of a layout to compare it with; nothing where none is kept. */
export function VersionField({
  project,
  layout,
  compared,
  onCompare,
}: {
  project: Project;
  layout: string;
  compared: Compared | undefined;
  onCompare: (compared: Compared | undefined) => void;
}) {
  const [most, setMost] = useState(FIRST_READ);
  const path = useMemo(() => project.layout(layout), [project, layout]);
  const { data, error } = useLayoutVersions(path, most);
  // While more are read, those that are known stay.
  const known = useRef(data);
  if (data) known.current = data;
  const versions = known.current?.items ?? [];
  if (error) return <Problem title={describeError(error)} />;
  if (versions.length === 0) return null;
  const read = versions.length + (known.current?.unreadable.length ?? 0);
  return (
    <NativeSelect
      label="Compare with"
      value={compared?.version.id ?? ''}
      data={[
        { value: '', label: 'No other version' },
        ...versions.map((version) => ({ value: version.id, label: nameOf(version) })),
        ...(most < MAX_VERSIONS && read === most ? [{ value: EARLIER, label: 'Earlier versions…' }] : []),
      ]}
      onChange={({ currentTarget: { value } }) => {
        if (value === EARLIER) {
          setMost(MAX_VERSIONS);
          return;
        }
        const version = versions.find(({ id }) => id === value);
        onCompare(version && { layout, version });
      }}
    />
  );
}

/** The card as a version of its layout draws it. */
export function VersionFace({
  component,
  cards,
  card,
  version,
  over,
  words,
}: {
  component: WithId<CardComponent>;
  cards: readonly WithId<Card>[];
  card: WithId<Card>;
  version: WithId<LayoutVersion>;
  /** Puts covers over the version. */
  over: (layout: Layout) => Layout;
  words: string;
}) {
  const columns: readonly TableColumn[] = component.columns;
  const scene = useFittedLayout(version.scene, cards, columns) ?? version.scene;
  return (
    <figure className={css.version}>
      <CardFace layout={over(scene)} card={card} columns={columns} label={`As it was: ${words}`} />
      <figcaption>{nameOf(version)}</figcaption>
    </figure>
  );
}
