import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { KINDS, kindOf } from '../../../../core/scene/kinds.ts';
import type { CardSize } from '../../../../core/scene/layout.ts';
import {
  type Component,
  type ComponentKind,
  MAX_NAME_LENGTH,
  type WithId,
} from '../../../../data/documents/documents.ts';
import type { Project } from '../../../../data/project/open-project.ts';
import { describeComponent } from '../../../../data/project/project-contents.ts';
import { describeError } from '../../../../data/server/messages.ts';
import { Problem } from '../../../../ui/page/page.tsx';
import { Popup, PopupActions } from '../../../../ui/popups/popup.tsx';
import combineCss from '../import/combine.module.css';

/** The size that is there already, where none of the kind's own is it. */
const KEPT = 'kept';

const same = (a: CardSize, b: CardSize | undefined): boolean =>
  b !== undefined && a.shape === b.shape && Math.abs(a.w - b.w) < 0.01 && Math.abs(a.h - b.h) < 0.01;

/** Name, kind and layout size of a component. */
export function ComponentDetails({
  open,
  project,
  component,
  onClose,
}: {
  open: boolean;
  project: Project;
  component: WithId<Component>;
  onClose: () => void;
}) {
  const [name, setName] = useState('');
  const [kindId, setKindId] = useState<ComponentKind>('cards');
  const [sizeAt, setSizeAt] = useState(KEPT);
  const [fault, setFault] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const { sizes } = kindOf(kindId);
  const stored = component.size ?? kindOf(component.kind).sizes[0]?.size;
  /** Index of a size among those of a kind. */
  const place = (kind: ComponentKind) => {
    const found = kindOf(kind).sizes.findIndex(({ size }) => same(size, stored));
    return found >= 0 ? String(found) : kind === component.kind ? KEPT : '0';
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a newly opened dialog starts over
  useEffect(() => {
    if (!open) return;
    setName(component.name);
    setKindId(component.kind);
    setSizeAt(place(component.kind));
    setFault(undefined);
    setFailure(undefined);
  }, [open]);
  const save = async () => {
    if (name.trim() === '') {
      setFault('Give the component a name.');
      return;
    }
    setBusy(true);
    setFailure(undefined);
    const size = sizeAt === KEPT ? stored : sizes[Number(sizeAt)]?.size;
    try {
      await describeComponent(project, component.id, {
        name: name.trim(),
        kind: kindId,
        ...(size && { size }),
      });
      onClose();
    } catch (error) {
      setFailure(describeError(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Popup open={open} onClose={onClose} title="Component details" width={560}>
      {failure && <Problem title={failure} />}
      <form
        className={combineCss.combine}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <TextInput
          data-autofocus
          label="Component name"
          value={name}
          maxLength={MAX_NAME_LENGTH}
          error={fault}
          onChange={(event) => {
            setName(event.currentTarget.value);
            setFault(undefined);
          }}
        />
        <div className={combineCss.pair}>
          <NativeSelect
            label="Kind"
            value={kindId}
            data={KINDS.map(({ id, name: label }) => ({ value: id, label }))}
            onChange={(event) => {
              const kind = event.currentTarget.value as ComponentKind;
              setKindId(kind);
              setSizeAt(place(kind));
            }}
          />
          <NativeSelect
            label="Size"
            value={sizeAt}
            data={[
              ...(kindId === component.kind && stored && place(kindId) === KEPT
                ? [{ value: KEPT, label: `As it is, ${stored.w} × ${stored.h} mm` }]
                : []),
              ...sizes.map(({ name: label, size: { w, h } }, i) => ({
                value: String(i),
                label: `${label}, ${w} × ${h} mm`,
              })),
            ]}
            onChange={(event) => setSizeAt(event.currentTarget.value)}
          />
        </div>
        <p className={combineCss.count}>
          New layouts begin with this size. A layout that is connected keeps its own, which the editor
          changes.
        </p>
        <PopupActions>
          <Button variant="subtle" color="gray" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={busy}>
            Save
          </Button>
        </PopupActions>
      </form>
    </Popup>
  );
}
