import { Button, NativeSelect, SegmentedControl } from '@mantine/core';
import { useEffect, useState } from 'react';
import { cellAt } from '../../../../core/records.ts';
import { sameSize } from '../../../../core/scene/sizes.ts';
import type { Card, Component, LayoutDocument, WithId } from '../../../../data/documents/documents.ts';
import type { Project } from '../../../../data/project/open-project.ts';
import { chooseByColumn } from '../../../../data/project/project-contents.ts';
import { describeError } from '../../../../data/server/messages.ts';
import { Problem } from '../../../../ui/page/page.tsx';
import { Popup, PopupActions } from '../../../../ui/popups/popup.tsx';
import css from '../project.module.css';

/** Most different cells a column may have to choose layouts by. */
const MAX_VALUES = 40;

/** Gives cards layouts by what a column says of them, for their fronts or their backs. */
export function LayoutsByColumn({
  open,
  project,
  component,
  cards,
  layouts,
  onClose,
}: {
  open: boolean;
  project: Project;
  component: WithId<Component>;
  cards: readonly WithId<Card>[];
  layouts: readonly WithId<LayoutDocument>[];
  onClose: () => void;
}) {
  const [back, setBack] = useState(false);
  const [column, setColumn] = useState('');
  const [choices, setChoices] = useState<Readonly<Record<string, string>>>({});
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const stored = back ? component.backBy : component.frontBy;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a newly opened dialog or side starts over
  useEffect(() => {
    setColumn(stored?.column ?? '');
    setChoices(stored?.layouts ?? {});
    setFailure(undefined);
  }, [open, back]);
  const counts = new Map<string, number>();
  for (const { cells } of cards) {
    const text = cellAt(cells, column).trim();
    if (text !== '') counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const values = [...counts].sort(([a], [b]) => a.localeCompare(b));
  const own = layouts.find(({ id }) => id === component.layoutId);
  // A back must be as large as its front.
  const fitting = back && own ? layouts.filter(({ scene }) => sameSize(scene, own.scene)) : layouts;
  const save = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      const kept = Object.fromEntries(
        Object.entries(choices).filter(([value, id]) => id && counts.has(value)),
      );
      const by = column && Object.keys(kept).length > 0 ? { column, layouts: kept } : null;
      await chooseByColumn(project, component.id, by, back);
      onClose();
    } catch (error) {
      setFailure(describeError(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Popup open={open} onClose={onClose} title="Layouts by a column" width={560}>
      {failure && <Problem title={failure} />}
      <SegmentedControl
        aria-label="Side"
        value={back ? 'back' : 'front'}
        data={[
          { value: 'front', label: 'Fronts' },
          { value: 'back', label: 'Backs' },
        ]}
        onChange={(side) => setBack(side === 'back')}
      />
      <NativeSelect
        label="Column"
        description="What it says of a card decides which layout the card has."
        value={column}
        data={[
          { value: '', label: `None: all have the same ${back ? 'back' : 'front'}` },
          ...component.columns.map(({ key, name }) => ({ value: key, label: name })),
        ]}
        onChange={(event) => {
          setColumn(event.currentTarget.value);
          setChoices(event.currentTarget.value === stored?.column ? (stored?.layouts ?? {}) : {});
        }}
      />
      {column && values.length === 0 && <p className={css.quiet}>No card says anything in this column.</p>}
      {values.length > MAX_VALUES && (
        <p className={css.quiet}>
          This column says {values.length} different things; at most {MAX_VALUES} can be told apart. Choose
          another, or add one for this.
        </p>
      )}
      {values.length <= MAX_VALUES &&
        values.map(([value, count]) => (
          <NativeSelect
            key={value}
            label={`${value} (${count})`}
            value={cellAt(choices, value)}
            data={[
              { value: '', label: 'As the component' },
              ...fitting.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            onChange={(event) => setChoices({ ...choices, [value]: event.currentTarget.value })}
          />
        ))}
      <PopupActions>
        <Button variant="subtle" color="gray" onClick={onClose}>
          Cancel
        </Button>
        <Button loading={busy} disabled={values.length > MAX_VALUES} onClick={() => void save()}>
          Save
        </Button>
      </PopupActions>
    </Popup>
  );
}
