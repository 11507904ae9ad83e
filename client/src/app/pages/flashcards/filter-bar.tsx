import { NativeSelect } from '@mantine/core';
import { useMemo } from 'react';
import {
  CARD_STATUSES,
  type Card,
  type Component as CardComponent,
  type PrintRunDocument,
  type WithId,
} from '../../../data/documents/documents.ts';
import { printWords } from '../print/prints/print-words.ts';
import { NO_STATUS, tagKey, tagsOf, type Wanted } from './filters.ts';
import css from './flashcards.module.css';

/** Leaves cards out by status, tag, or for having changed since a print. */
export function FilterBar({
  component,
  cards,
  runs,
  wanted,
  onWanted,
}: {
  component: WithId<CardComponent>;
  cards: readonly WithId<Card>[];
  runs: readonly WithId<PrintRunDocument>[];
  wanted: Wanted;
  onWanted: (wanted: Wanted) => void;
}) {
  const tags = useMemo(() => tagsOf(component, cards), [component, cards]);
  const groups = [...tags]
    .filter(([, own]) => own.length > 0)
    .map(([column, own]) => ({
      group: component.columns.find(({ key }) => key === column)?.name ?? column,
      items: own.map((tag) => ({ value: tagKey(column, tag), label: tag })),
    }));
  return (
    <search className={css.filters} aria-label="Cards to show">
      <NativeSelect
        label="Status"
        value={wanted.status}
        data={[
          { value: '', label: 'Any' },
          ...CARD_STATUSES.map((status) => ({ value: status as string, label: status as string })),
          { value: NO_STATUS, label: 'without a status' },
        ]}
        onChange={(event) => onWanted({ ...wanted, status: event.currentTarget.value })}
      />
      {groups.length > 0 && (
        <NativeSelect
          label="Tag"
          value={wanted.tag}
          data={[{ value: '', label: 'Any' }, ...groups]}
          onChange={(event) => onWanted({ ...wanted, tag: event.currentTarget.value })}
        />
      )}
      {runs.length > 0 && (
        <NativeSelect
          label="Changed"
          value={String(wanted.since)}
          data={[
            { value: '0', label: 'Any' },
            ...runs.map(({ number, versionName, at }) => ({
              value: String(number),
              label: `Since ${printWords({ number, versionName, at })}`,
            })),
          ]}
          onChange={(event) => onWanted({ ...wanted, since: Number(event.currentTarget.value) })}
        />
      )}
    </search>
  );
}
