import { Button, TextInput } from '@mantine/core';
import { Bookmark, Check, ChevronDown, Save, Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { createPortal } from 'react-dom';
import type { PrintSettings } from '../../../core/imposition/settings.ts';
import { isolated } from '../../../core/text/names.ts';
import { MAX_NAME_LENGTH } from '../../../data/documents/documents.ts';
import type { Project } from '../../../data/project/open-project.ts';
import {
  addPrintPreset,
  deletePrintPreset,
  savePrintPreset,
  usePrintPresets,
} from '../../../data/project/printing.ts';
import { readOpenedId } from '../../../data/versions/opened.ts';
import { Menu, type MenuItem } from '../../../ui/menu/menu.tsx';
import { Popup, PopupActions } from '../../../ui/popups/popup.tsx';
import { toasts } from '../../../ui/toasts/engine.ts';
import { tellFailure } from '../../shell/tell-failure.ts';
import css from './print.module.css';

/** Settings kept under a name, for the whole project. */
export function PresetField({
  project,
  settings,
  onChange,
}: {
  project: Project;
  settings: PrintSettings;
  onChange: (settings: PrintSettings) => void;
}) {
  const presets = usePrintPresets(project).data?.items ?? [];
  const [chosen, setChosen] = useState<string>();
  const [naming, setNaming] = useState(false);
  const [name, setName] = useState('');
  const current = presets.find(({ id }) => id === chosen);
  const changed = current && JSON.stringify(current.settings) !== JSON.stringify(settings);
  const run = (work: Promise<unknown>, done: string) =>
    work.then(() => toasts.show(done, { type: 'success' }), tellFailure);
  // Nothing is written in a version.
  const writable = readOpenedId(project.id) === undefined;
  const items: MenuItem[] = [
    ...presets.map((preset) => ({
      label: preset.name,
      ...(preset.id === chosen && { icon: <Check size={16} aria-hidden /> }),
      onSelect: () => {
        setChosen(preset.id);
        onChange(preset.settings);
      },
    })),
    ...(writable && current && changed
      ? [
          {
            label: `Save changes to ${isolated(current.name)}`,
            icon: <Save size={16} aria-hidden />,
            onSelect: () => void run(savePrintPreset(project, current.id, settings), 'Preset saved.'),
          },
        ]
      : []),
    ...(writable
      ? [
          {
            label: 'Save as a preset…',
            icon: <Bookmark size={16} aria-hidden />,
            onSelect: () => {
              setName('');
              setNaming(true);
            },
          },
        ]
      : []),
    ...(writable && current
      ? [
          {
            label: `Delete ${isolated(current.name)}`,
            icon: <Trash2 size={16} aria-hidden />,
            danger: true,
            onSelect: () => void run(deletePrintPreset(project, current.id), 'Preset deleted.'),
          },
        ]
      : []),
  ];
  const save = async (event: FormEvent) => {
    event.preventDefault();
    // The options around it are a form too, which would begin an export.
    event.stopPropagation();
    if (name.trim() === '') return;
    setNaming(false);
    try {
      setChosen(await addPrintPreset(project, name.trim(), settings));
      toasts.show('Preset saved.', { type: 'success' });
    } catch (error) {
      tellFailure(error);
    }
  };
  if (items.length === 0) return null;
  return (
    <>
      <Menu items={items} width={266} className={css.presets}>
        <Bookmark size={16} aria-hidden />
        <span>{current ? `${current.name}${changed ? ', changed' : ''}` : 'Presets'}</span>
        <ChevronDown size={16} aria-hidden />
      </Menu>
      {createPortal(
        <Popup open={naming} onClose={() => setNaming(false)} title="Save as a preset">
          <form onSubmit={save}>
            <TextInput
              label="Name"
              data-autofocus
              maxLength={MAX_NAME_LENGTH}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <PopupActions>
              <Button variant="default" onClick={() => setNaming(false)}>
                Cancel
              </Button>
              <Button type="submit" disabled={name.trim() === ''}>
                Save preset
              </Button>
            </PopupActions>
          </form>
        </Popup>,
        document.body,
      )}
    </>
  );
}
