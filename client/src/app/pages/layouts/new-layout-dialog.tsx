import { Button, FileButton, NativeSelect } from '@mantine/core';
import { Upload } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import type { Layout } from '../../../core/scene/layout.ts';
import { newLayout } from '../../../core/scene/new-layout.ts';
import { DEFAULT_PRESET_ID, presetSize, SIZE_PRESETS } from '../../../core/scene/sizes.ts';
import { Popup } from '../../../ui/popups/popup.tsx';
import { PaintedCard } from '../../painting/painted-card.tsx';
import { type ImportedLayout, readDextrousLayout } from './import/dextrous.ts';
import css from './new-layout-dialog.module.css';
import { type Template, templates } from './templates/templates.ts';

const THUMBNAIL_PX = 132;
const NO_COLUMNS: readonly never[] = [];
/** Largest layout file read, in bytes. */
const MAX_FILE_BYTES = 5 * 1024 * 1024;

function TemplateTile({ template, onPick }: { template: Template; onPick: (layout: Layout) => void }) {
  const { layout, name, use, sample } = template;
  const { w, h } = layout.size;
  return (
    <li>
      <button type="button" className={css.tile} onClick={() => onPick(layout)}>
        <span className={css.picture}>
          <PaintedCard
            layout={layout}
            cells={sample}
            columns={NO_COLUMNS}
            width={Math.round((THUMBNAIL_PX * w) / Math.max(w, h))}
            label=""
          />
        </span>
        <b>{name}</b>
        <small>{use}</small>
      </button>
    </li>
  );
}

/** Start of a new layout: a blank card of a size, a template, or a file. */
export function NewLayoutDialog({
  open,
  onClose,
  onPick,
}: {
  open: boolean;
  onClose: () => void;
  /** @param file of a layout that comes from one: its tags, its colours, and what could not be taken over */
  onPick: (layout: Layout, file?: Omit<ImportedLayout, 'layout'>) => void;
}) {
  const [size, setSize] = useState(DEFAULT_PRESET_ID);
  const [landscape, setLandscape] = useState('upright');
  const [problem, setProblem] = useState<string>();
  const all = useMemo(() => (open ? templates() : []), [open]);

  const forgetFile = useRef<() => void>(null);
  const importFile = async (file: File | null) => {
    if (!file) return;
    setProblem(undefined);
    // A browser does not tell of the same file chosen again, as one does who has mended it.
    forgetFile.current?.();
    try {
      if (file.size > MAX_FILE_BYTES)
        throw new Error(`The file is larger than ${MAX_FILE_BYTES / 1024 / 1024} MB: a layout is not.`);
      const read = readDextrousLayout(await file.text());
      onPick(read.layout, read);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };

  return (
    <Popup open={open} onClose={onClose} title="Start a layout" width={920}>
      <div className={css.blank}>
        <NativeSelect
          size="xs"
          label="Size"
          value={size}
          data={SIZE_PRESETS.map(({ id, name, w, h }) => ({ value: id, label: `${name}, ${w} × ${h} mm` }))}
          onChange={(event) => setSize(event.currentTarget.value)}
        />
        <NativeSelect
          size="xs"
          label="Orientation"
          value={landscape}
          data={[
            { value: 'upright', label: 'Upright' },
            { value: 'landscape', label: 'On its side' },
          ]}
          onChange={(event) => setLandscape(event.currentTarget.value)}
        />
        <Button
          size="xs"
          onClick={() => onPick(newLayout('New layout', presetSize(size, landscape === 'landscape')))}
        >
          Blank card
        </Button>
        <span className={css.grow} />
        <FileButton
          accept="application/json,.json"
          resetRef={forgetFile}
          onChange={(file) => void importFile(file)}
        >
          {(props) => (
            <Button {...props} size="xs" variant="default" leftSection={<Upload size={14} aria-hidden />}>
              Import a Dextrous layout
            </Button>
          )}
        </FileButton>
      </div>
      {problem && (
        <p className={css.problem} role="alert">
          {problem}
        </p>
      )}
      <ul className={css.grid} aria-label="Templates">
        {all.map((template) => (
          <TemplateTile key={template.id} template={template} onPick={onPick} />
        ))}
      </ul>
    </Popup>
  );
}
