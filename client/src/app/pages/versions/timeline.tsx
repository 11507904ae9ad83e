import { Button } from '@mantine/core';
import { Ellipsis, Eye, GitCompareArrows, Globe, Pencil, RotateCcw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { WithId } from '../../../data/documents/documents.ts';
import { NOW } from '../../../data/versions/calls.ts';
import { openedId } from '../../../data/versions/opened.ts';
import type { GameVersion } from '../../../data/versions/schema.ts';
import { dayAndTime, shortDay } from '../../../ui/dates.ts';
import { Menu } from '../../../ui/menu/menu.tsx';
import { timelineGroups } from './timeline-groups.ts';
import { countWords, versionName } from './version-words.ts';
import css from './versions.module.css';

export type Version = WithId<GameVersion>;

/** Acts on a version that the page offers. */
export interface VersionActions {
  rename(version: Version): void;
  share(version: Version): void;
  restore(version: Version): void;
  remove(version: Version): void;
}

interface RowProps {
  /** Id of the project. */
  readonly project: string;
  readonly mayEdit: boolean;
  readonly actions: VersionActions;
}

const timeOf = (at: number): string => (at === 0 ? 'Just now' : dayAndTime(at));

/** Versions in time, the newest first; automatic ones are folded. */
export function Timeline({ versions, ...row }: RowProps & { versions: readonly Version[] }) {
  return (
    <ol className={css.timeline} aria-label="Versions">
      {timelineGroups(versions).map((group) =>
        group.kind === 'named' ? (
          <Row key={group.version.id} version={group.version} {...row} />
        ) : (
          <Folded key={group.versions[0].id} versions={group.versions} {...row} />
        ),
      )}
    </ol>
  );
}

function Folded({ versions, ...row }: RowProps & { versions: readonly [Version, ...Version[]] }) {
  const [open, setOpen] = useState(false);
  const last = versions.at(-1) ?? versions[0];
  const [from, to] = [shortDay(last.at || Date.now()), shortDay(versions[0].at || Date.now())];
  return (
    <>
      <li className={css.folded}>
        <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
          {versions.length} automatic {versions.length === 1 ? 'version' : 'versions'}
          <small>{from === to ? to : `${from} – ${to}`}</small>
        </button>
      </li>
      {open && versions.map((version) => <Row key={version.id} version={version} {...row} />)}
    </>
  );
}

/** Characters and lines of a note that are shown before somebody asks for all of it. */
const NOTE_CHARACTERS = 280;
const NOTE_LINES = 4;

function Note({ text }: { text: string }) {
  const [open, setOpen] = useState(false);
  const short = text.split('\n').slice(0, NOTE_LINES).join('\n').slice(0, NOTE_CHARACTERS);
  const isLong = short.length < text.length;
  return (
    <p className={css.note}>
      {isLong && !open ? `${short.trimEnd()}… ` : `${text} `}
      {isLong && (
        <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Show less' : 'Show all'}
        </button>
      )}
    </p>
  );
}

function Row({ version, project, mayEdit, actions }: RowProps & { version: Version }) {
  const name = versionName(version);
  const { id, note, byName, at, kind } = version;
  return (
    <li className={css.version} data-kind={kind}>
      <div className={css.facts}>
        <h2>{name}</h2>
        <p className={css.when}>
          {timeOf(at)}
          {byName && `, ${byName}`} · {countWords(version)}
          {version.link && ' · has a public link'}
        </p>
        {note && <Note text={note} />}
      </div>
      <div className={css.acts}>
        <Button
          size="xs"
          variant="default"
          component={Link}
          to={`?from=${encodeURIComponent(id)}&to=${NOW}`}
          aria-label={`Compare ${name} with now`}
          leftSection={<GitCompareArrows size={15} aria-hidden />}
        >
          Compare
        </Button>
        <Button
          size="xs"
          variant="default"
          component={Link}
          to={`/decks/${openedId({ project, version: id })}`}
          aria-label={`Open ${name}`}
          leftSection={<Eye size={15} aria-hidden />}
        >
          Open
        </Button>
        {mayEdit && (
          <Menu
            label={`More for ${name}`}
            width={230}
            items={[
              {
                label: kind === 'named' ? 'Name and note' : 'Give it a name',
                icon: <Pencil size={15} />,
                onSelect: () => actions.rename(version),
              },
              {
                label: 'Restore everything',
                icon: <RotateCcw size={15} />,
                onSelect: () => actions.restore(version),
              },
              ...(kind === 'named'
                ? [
                    {
                      label: 'Public link',
                      icon: <Globe size={15} />,
                      onSelect: () => actions.share(version),
                    },
                  ]
                : []),
              {
                label: 'Delete version',
                icon: <Trash2 size={15} />,
                divided: true,
                danger: true,
                onSelect: () => actions.remove(version),
              },
            ]}
          >
            <Ellipsis size={18} aria-hidden />
          </Menu>
        )}
      </div>
    </li>
  );
}
