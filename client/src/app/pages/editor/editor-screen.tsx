import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { Row } from '../../../core/scene/card/row.ts';
import type { Layout } from '../../../core/scene/layout.ts';
import { guardUnsaved } from '../../../data/account/unsaved-work.ts';
import { sampleCells } from '../../../data/layouts/sample-row.ts';
import type { Project } from '../../../data/project/open-project.ts';
import { commandOf, isTyping, runShortcut } from '../../../ui/commands/keys.ts';
import { useGroupSizes } from '../../painting/use-group-sizes.ts';
import { useThingTitle } from '../../shell/document-title.ts';
import { EditorCanvas } from './canvas/editor-canvas.tsx';
import type { Zoom } from './canvas/use-zoom.ts';
import { COMMANDS, type CommandContext } from './commands.ts';
import css from './editor.module.css';
import { resumeGeneration, useKeptGeneration } from './generators/kept-generation.ts';
import { EditorBar } from './panels/editor-bar.tsx';
import { Inspector } from './panels/inspector.tsx';
import { LayerList } from './panels/layer-list.tsx';
import { OtherSide } from './panels/other-side.tsx';
import { CommandWindows } from './panels/windows/command-windows.tsx';
import { LayoutPeers } from './presence/layout-peers.tsx';
import { LayoutPresence } from './presence/layout-presence.ts';
import { EditorModel } from './state/editor-store.ts';
import { Autosave } from './state/saving/autosave.ts';
import type { LayoutStore } from './state/saving/layout-store.ts';
import { LayoutSync, type StoredLayout } from './state/saving/layout-sync.ts';
import { type Holding, useHolding } from './state/saving/use-holding.ts';
import { sampleRows } from './state/table/sample-rows.ts';
import { useEditorLanguages } from './state/table/use-editor-language.ts';
import { useTable } from './state/table/use-table.ts';

/** Takes the keyboard out of a field of the bar or a panel; windows over the editor have an Escape of their own. */
function leave(field: EventTarget | null): void {
  if (field instanceof HTMLElement && field.closest('main')) field.blur();
}

/** A layout that has rested for so long is kept before it is changed again, in milliseconds. */
const REST_MS = 60 * 60 * 1000;
const isRecent = (at: number): boolean => Date.now() - at < REST_MS;

/** A layout as it was stored when it was opened, or is now. */
export interface OpenedLayout extends StoredLayout {
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
}

/** Content that a menu of the layout as a whole works on. */
export interface MenuContext {
  readonly model: EditorModel;
  /** The layout as it was when the editor was opened; as it is stored while changes are held back. */
  readonly before: Layout;
  /** Cells of the card shown. */
  readonly cells: Readonly<Record<string, string>>;
  readonly holding: Holding;
  /** Saves what is not saved yet. */
  readonly flush: () => Promise<void>;
}

/** Runs the commands of the keyboard while no window stands over the editor. */
function useShortcuts(model: EditorModel, commands: CommandContext): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // In a field, most keys are the field's. Escape gives them back.
      if (isTyping(event.target) && !commandOf(COMMANDS, event)?.inFields) {
        if (event.key === 'Escape') leave(event.target);
        return;
      }
      if (model.state.panel !== null) return;
      if (runShortcut(COMMANDS, event, commands)) event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [model, commands]);
}

/** The layout editor around one layout. */
export function EditorScreen({
  store,
  initial,
  stored,
  project,
  component,
  back,
  begin,
  menu,
}: {
  store: LayoutStore;
  initial: OpenedLayout;
  stored: OpenedLayout;
  project: Project | undefined;
  component: string | undefined;
  back: string;
  /** Called once with the new model, before anything is shown. */
  begin?: ((model: EditorModel) => void) | undefined;
  menu: (context: MenuContext) => ReactNode;
}) {
  const [model] = useState(() => {
    const made = new EditorModel(initial.scene);
    resumeGeneration(made, store.id);
    begin?.(made);
    return made;
  });
  const [sync] = useState(
    () =>
      new LayoutSync(initial, store.commit, {
        read: () => model.state.document,
        takeOver: (scene) => model.takeOver(scene),
      }),
  );
  const [autosave] = useState(() => new Autosave<Layout>((scene) => sync.save(scene)));
  const [presence] = useState(() => new LayoutPresence());
  const table = useTable(project, component);
  const languages = useEditorLanguages(model, project, component, store.id);
  const [rowIndex, setRowIndex] = useState(0);
  const scene = useStore(model.store, (state) => state.document);
  useThingTitle(scene.name);
  useKeptGeneration(model, store.id);

  useEffect(() => {
    // A scene that is back at the stored state must still be saved while a save is pending.
    if (!sync.isStored(scene) || autosave.snapshot() !== 'saved') autosave.changed(scene);
  }, [scene, autosave, sync]);

  useEffect(() => sync.arrived(stored), [stored, sync]);
  const holding = useHolding(store.id, stored.scene, scene, model, autosave);

  const changed = scene !== initial.scene;
  useEffect(() => {
    if (!changed || initial.scene.zones.length === 0 || isRecent(initial.updatedAt)) return;
    // A layout whose version cannot be kept can be changed all the same.
    store.keepVersion?.(initial.scene).catch(() => undefined);
  }, [changed, store, initial]);

  useEffect(() => {
    const unguard = guardUnsaved({
      // Changes held back are kept on this machine.
      isUnsaved: () => !['saved', 'held'].includes(autosave.snapshot()),
      save: () => autosave.flush(),
    });
    return () => {
      unguard();
      void autosave.flush();
    };
  }, [autosave]);

  // The bound columns rarely change; the painting must not be rebuilt with every drag.
  const sampleKey = JSON.stringify(sampleCells(scene));
  const rows = useMemo(() => {
    const named = JSON.parse(sampleKey) as Record<string, string>;
    const own =
      table.rows.length > 0
        ? table.rows
        : [{ name: scene.sample ? 'Sample card' : 'Column names', cells: named }];
    return [...own, ...sampleRows(table, Object.keys(named))];
  }, [table, sampleKey, scene.sample]);

  const zoom = useRef<Zoom>(null);
  const shownRow = Math.min(rowIndex, rows.length - 1);
  const row = rows[shownRow];
  const rowCount = rows.length;
  const commands = useMemo<CommandContext>(
    () => ({
      model,
      save: () => void autosave.flush(),
      view: {
        zoomBy: (factor) => zoom.current?.zoomBy(factor),
        fit: () => zoom.current?.fit(),
        realSize: () => zoom.current?.realSize(),
        hasCard: (by) => shownRow + by >= 0 && shownRow + by < rowCount,
        step: (by) => setRowIndex(shownRow + by),
      },
    }),
    [model, autosave, shownRow, rowCount],
  );

  useShortcuts(model, commands);
  const cells = table.cellsAt(shownRow) ?? row?.cells;
  const { rowOf, wordsOf } = languages;
  const shown = useMemo<Row>(() => {
    const place = shownRow < table.rows.length && { index: shownRow + 1, count: table.rows.length };
    return rowOf({ cells: cells ?? {}, ...place }, shownRow);
  }, [cells, shownRow, table.rows.length, rowOf]);
  const inLanguage = useStore(model.store, (state) => state.scene);
  const groupRows = useMemo(() => table.rows.map((one, at) => rowOf(one, at)), [table.rows, rowOf]);
  const groupSizes = useGroupSizes(inLanguage, groupRows, table.columns);
  return (
    <main className={css.screen}>
      <h1 className={css.title}>Layout editor</h1>
      <EditorBar
        commands={commands}
        autosave={autosave}
        back={back}
        rows={rowCount}
        cards={table.rows.length}
        rowIndex={shownRow}
        rowName={row?.name}
        onRow={setRowIndex}
        peers={
          project && <LayoutPeers project={project} layout={store.id} model={model} presence={presence} />
        }
        menu={menu({
          model,
          before: holding.on ? stored.scene : initial.scene,
          cells: shown.cells,
          holding,
          flush: () => autosave.flush(),
        })}
      />
      <LayerList model={model}>
        {project && component && (
          <OtherSide layout={store.id} table={table} cells={shown.cells} component={component} />
        )}
      </LayerList>
      <EditorCanvas
        model={model}
        row={shown}
        columns={table.columns}
        groupSizes={groupSizes}
        wordsOf={wordsOf}
        presence={presence}
        control={zoom}
      />
      <Inspector
        model={model}
        columns={table.columns}
        row={shown}
        rows={table.rows}
        languages={languages.tags}
      />
      <CommandWindows context={commands} />
    </main>
  );
}
