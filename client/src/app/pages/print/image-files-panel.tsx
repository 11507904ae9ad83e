import { Checkbox, NativeSelect, NumberInput, SegmentedControl, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { DEFAULT_TEMPLATE, unknownTokens } from '../../../core/imposition/images/file-names.ts';
import {
  FULL_SIZE_DPI,
  type ImageFileSettings,
  imageEntries,
  MAX_DPI,
} from '../../../core/imposition/images/image-files.ts';
import type { ProjectPart } from '../../../data/project/project-parts.ts';
import { useUserObject } from '../../../data/user-object/use-user-object.ts';
import { BundleForm, type PlannedBundle, plannedBundle } from './bundle-form.tsx';
import type { TargetProps } from './export-targets.ts';
import { Field } from './fields.tsx';
import { useExport } from './use-export.ts';

const TYPES = [
  { value: 'image/png', label: 'PNG' },
  { value: 'image/webp', label: 'WebP' },
  { value: 'image/jpeg', label: 'JPEG' },
];

/** Size of the pictures: in per cent, or in dots per inch. */
function SizeFields({
  dpi,
  percent,
  onDpi,
  onPercent,
}: {
  /** Absent: in per cent. */
  dpi: number | undefined;
  percent: number;
  onDpi: (dpi: number | undefined) => void;
  onPercent: (percent: number) => void;
}) {
  return (
    <>
      <NativeSelect
        label="Size"
        value={dpi === undefined ? 'percent' : ['300', '600'].includes(String(dpi)) ? String(dpi) : 'dpi'}
        data={[
          { value: 'percent', label: 'Per cent of 96 dots per inch' },
          { value: '300', label: '300 dots per inch' },
          { value: '600', label: '600 dots per inch' },
          { value: 'dpi', label: 'Other resolution' },
        ]}
        onChange={(event) => {
          const { value } = event.currentTarget;
          onDpi(value === 'percent' ? undefined : value === 'dpi' ? 150 : Number(value));
        }}
      />
      {dpi === undefined ? (
        <NumberInput
          label="Per cent"
          suffix=" %"
          min={10}
          max={1_200}
          allowDecimal={false}
          clampBehavior="blur"
          value={percent}
          onChange={(value) => typeof value === 'number' && value >= 10 && onPercent(value)}
        />
      ) : (
        <NumberInput
          label="Dots per inch"
          min={10}
          max={MAX_DPI}
          allowDecimal={false}
          clampBehavior="blur"
          value={dpi}
          onChange={(value) => typeof value === 'number' && value >= 10 && onDpi(value)}
        />
      )}
    </>
  );
}

const plan = (projectParts: readonly ProjectPart[], settings: ImageFileSettings): PlannedBundle =>
  plannedBundle(() =>
    imageEntries(
      projectParts.map(({ part }) => part),
      settings,
    ),
  );

/** One picture a card, in a ZIP. */
export function ImageFilesPanel({ title, projectParts, several }: TargetProps) {
  const { userObject, save } = useUserObject();
  const exporting = useExport();
  const [own, setOwn] = useState<Omit<ImageFileSettings, 'dpi'>>({
    type: 'image/png',
    quality: 90,
    bleed: false,
    cut: true,
    backs: true,
    copies: 'one',
    template: DEFAULT_TEMPLATE,
    contactSheet: false,
  });
  /** Absent: the size in per cent that the user keeps. */
  const [dpi, setDpi] = useState<number>();
  const percent = userObject.pngExportSize;
  const settings = useMemo<ImageFileSettings>(
    () => ({ ...own, dpi: dpi ?? (FULL_SIZE_DPI * percent) / 100 }),
    [own, dpi, percent],
  );
  const set = (change: Partial<ImageFileSettings>) => setOwn({ ...own, ...change });
  const planned = useMemo(() => plan(projectParts, settings), [projectParts, settings]);
  const unknown = [
    ...new Set(projectParts.flatMap(({ part }) => unknownTokens(settings.template, part.columns))),
  ];
  const hasBacks = projectParts.some(({ part }) => part.back !== null);
  return (
    <BundleForm
      planned={planned}
      fileName={`${title || 'cards'}.zip`}
      several={several}
      planIn={(of, parts) => ({ planned: plan(parts, settings), fileName: `${of}.zip` })}
      action="Export pictures"
      exporting={exporting}
    >
      <Field label="Format">
        {(id) => (
          <SegmentedControl
            aria-labelledby={id}
            fullWidth
            value={settings.type}
            data={TYPES}
            onChange={(type) => set({ type: type as ImageFileSettings['type'] })}
          />
        )}
      </Field>
      {settings.type !== 'image/png' && (
        <NumberInput
          label="Quality"
          suffix=" %"
          min={1}
          max={100}
          allowDecimal={false}
          clampBehavior="strict"
          value={settings.quality}
          onChange={(quality) => typeof quality === 'number' && set({ quality })}
        />
      )}
      <SizeFields
        dpi={dpi}
        percent={percent}
        onDpi={setDpi}
        onPercent={(pngExportSize) => void save({ pngExportSize })}
      />
      <Checkbox
        label="With bleed"
        checked={settings.bleed}
        onChange={(event) => set({ bleed: event.currentTarget.checked })}
      />
      <Checkbox
        label="Cut the corners"
        description="Transparent outside the card; white in JPEG."
        disabled={settings.bleed}
        checked={settings.cut && !settings.bleed}
        onChange={(event) => set({ cut: event.currentTarget.checked })}
      />
      {hasBacks && (
        <Checkbox
          label="Backs too"
          checked={settings.backs}
          onChange={(event) => set({ backs: event.currentTarget.checked })}
        />
      )}
      <Checkbox
        label="A file for every copy"
        checked={settings.copies === 'each'}
        onChange={(event) => set({ copies: event.currentTarget.checked ? 'each' : 'one' })}
      />
      <Checkbox
        label="Contact sheet"
        description="All cards small, with their names."
        checked={settings.contactSheet}
        onChange={(event) => set({ contactSheet: event.currentTarget.checked })}
      />
      <TextInput
        size="sm"
        label="File names"
        description="Columns in double braces; {{number}}, {{copy}} and {{component}} too."
        error={unknown.length > 0 && `There is no column ${unknown.join(', ')}: it stays empty.`}
        value={settings.template}
        maxLength={300}
        onChange={(event) => set({ template: event.currentTarget.value })}
      />
    </BundleForm>
  );
}
