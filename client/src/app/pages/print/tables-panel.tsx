import { Button, Checkbox, FileButton, NativeSelect, SegmentedControl } from '@mantine/core';
import { FileUp } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { safeName } from '../../../core/imposition/images/file-names.ts';
import { type NotebookPage, notebookPage } from '../../../core/tabletop/extras.ts';
import {
  type FieldNames,
  type PlannedSave,
  planSave,
  saveEntries,
  type TableShape,
  tablePart,
  usualShape,
} from '../../../core/tabletop/package.ts';
import { MAX_SAVE_LENGTH, readSave, SaveError, type TtsSave } from '../../../core/tabletop/save.ts';
import { DEFAULT_SIMULATOR_SETTINGS, type SimulatorSettings } from '../../../core/tabletop/simulator.ts';
import {
  TABLE_SET_DPI,
  TABLE_SET_IDS,
  TABLE_SETS,
  type TableSetId,
} from '../../../core/tabletop/table-sets.ts';
import { isolated } from '../../../core/text/names.ts';
import type { ProjectPart } from '../../../data/project/project-parts.ts';
import { describeError } from '../../../data/server/messages.ts';
import { Problem } from '../../../ui/page/page.tsx';
import { AccountNeeded } from '../../trial/account-needed.tsx';
import { BundleForm, type PlannedBundle } from './bundle-form.tsx';
import type { TargetProps } from './export-targets.ts';
import { Field, Section } from './fields.tsx';
import { NotebookRulebook } from './notebook-rulebook.tsx';
import css from './print.module.css';
import { PublishSave } from './publish-save.tsx';
import { useExport } from './use-export.ts';

type Table = 'tts' | TableSetId;

const TABLES: readonly { readonly value: Table; readonly label: string }[] = [
  { value: 'tts', label: 'Tabletop Simulator' },
  ...TABLE_SET_IDS.map((value) => ({ value, label: TABLE_SETS[value].name })),
];

const SHAPES: readonly { readonly value: TableShape; readonly label: string }[] = [
  { value: 'deck', label: 'A deck of cards' },
  { value: 'token', label: 'Tokens' },
  { value: 'tile', label: 'Tiles' },
  { value: 'board', label: 'Boards' },
  { value: 'figurine', label: 'Standees' },
  { value: 'die', label: 'Dice, six rows each' },
  { value: 'notebook', label: 'Rules in the notebook' },
];

/** Choices for Tabletop Simulator; columns are kept by name, because components differ. */
interface Choices {
  readonly settings: SimulatorSettings;
  /** By part. */
  readonly as: Readonly<Record<string, TableShape>>;
  readonly fields: Readonly<Record<keyof FieldNames, string>>;
  readonly snapPoints: boolean;
  /** A rulebook of the project, as a page. */
  readonly rules: NotebookPage | undefined;
}

function planned(
  projectParts: readonly ProjectPart[],
  { as, fields, settings, snapPoints, rules }: Choices,
  name: string,
  existing: TtsSave | undefined,
): Planned {
  try {
    const objects = projectParts.flatMap((one) => {
      const shown = as[one.id] ?? usualShape(one.component.kind);
      if (shown === 'notebook') return [];
      const known = { id: one.id, cardIds: one.cards.map(({ id }) => id), as: shown };
      return [tablePart(one.part, known, fields)];
    });
    const notebook = projectParts
      .filter((one) => (as[one.id] ?? usualShape(one.component.kind)) === 'notebook')
      .map(({ part }) => notebookPage(part));
    if (rules) notebook.unshift(rules);
    const made = planSave(objects, settings, name, existing, { notebook, snapPoints });
    return made ? { ...made, entries: made.plan.images } : { entries: [] };
  } catch (error) {
    return { entries: [], problem: describeError(error) };
  }
}

/** Files for virtual tables. */
export function TablesPanel({ project, title, projectParts, several }: TargetProps) {
  const [table, setTable] = useState<Table>('tts');
  const choice = (
    <NativeSelect
      label="Table"
      value={table}
      data={TABLES}
      onChange={(event) => setTable(event.currentTarget.value as Table)}
    />
  );
  return table === 'tts' ? (
    <SimulatorForm
      project={project}
      title={title}
      projectParts={projectParts}
      several={several}
      choice={choice}
    />
  ) : (
    <SetForm
      key={table}
      title={title}
      projectParts={projectParts}
      several={several}
      table={table}
      choice={choice}
    />
  );
}

const planSet = (table: TableSetId, projectParts: readonly ProjectPart[]): PlannedBundle => ({
  entries: TABLE_SETS[table].entries(
    projectParts.map(({ part }) => part),
    TABLE_SET_DPI,
  ),
});

function SetForm({
  title,
  projectParts,
  several,
  table,
  choice,
}: Omit<TargetProps, 'project'> & {
  table: TableSetId;
  choice: React.ReactNode;
}) {
  const exporting = useExport();
  const { name, note } = TABLE_SETS[table];
  const planned = useMemo(() => planSet(table, projectParts), [table, projectParts]);
  return (
    <BundleForm
      planned={planned}
      fileName={`${title || 'cards'} for ${name}.zip`}
      several={several}
      planIn={(of, parts) => ({ planned: planSet(table, parts), fileName: `${of} for ${name}.zip` })}
      action="Export a ZIP"
      exporting={exporting}
      note={note}
    >
      {choice}
    </BundleForm>
  );
}

type Planned = PlannedBundle & Partial<PlannedSave>;

const isSave = (made: Planned): made is Planned & PlannedSave =>
  made.plan !== undefined && made.save !== undefined;

const ONE_LANGUAGE: PlannedBundle = {
  entries: [],
  problem: 'A save is brought up to date in one language: choose no other above.',
};

const saveName = (title: string): string => `${safeName(title) || 'cards'}.json`;

/** A plan with its save among the files. */
const withEntries = (made: Planned, file: string): PlannedBundle =>
  isSave(made) ? { entries: saveEntries(made, file) } : made;

function SimulatorForm({
  project,
  title,
  projectParts,
  several,
  choice,
}: TargetProps & { choice: React.ReactNode }) {
  const exporting = useExport();
  /** The same file may be chosen again, when the game has changed it. */
  const forgetFile = useRef<() => void>(null);
  const [choices, setChoices] = useState<Choices>({
    settings: DEFAULT_SIMULATOR_SETTINGS,
    as: {},
    fields: { nickname: '', description: '', gmNotes: '', tags: '', lua: '' },
    snapPoints: true,
    rules: undefined,
  });
  const [existing, setExisting] = useState<{ name: string; save: TtsSave }>();
  const [saveProblem, setSaveProblem] = useState<string>();
  const { settings } = choices;
  const set = (change: Partial<SimulatorSettings>) =>
    setChoices({ ...choices, settings: { ...settings, ...change } });
  const name = title || 'Cards';
  const made = useMemo(
    () => planned(projectParts, choices, name, existing?.save),
    [projectParts, choices, name, existing],
  );
  const [onPage] = useState(
    () => (rules: NotebookPage | undefined) => setChoices((known) => ({ ...known, rules })),
  );
  const columns = [...new Set(projectParts.flatMap(({ part }) => part.columns.map((column) => column.name)))];
  const column = (label: string, field: keyof Choices['fields'], none: string) => (
    <NativeSelect
      label={label}
      value={choices.fields[field]}
      data={[{ value: '', label: none }, ...columns.map((one) => ({ value: one, label: one }))]}
      onChange={(event) =>
        setChoices({ ...choices, fields: { ...choices.fields, [field]: event.currentTarget.value } })
      }
    />
  );
  const choose = async (file: File | undefined) => {
    setSaveProblem(undefined);
    setExisting(undefined);
    if (!file) return;
    try {
      if (file.size > MAX_SAVE_LENGTH) throw new SaveError('That file is too large for a save.');
      setExisting({ name: file.name, save: readSave(await file.text()) });
    } catch (error) {
      setSaveProblem(describeError(error));
    }
  };
  const file = existing?.name ?? saveName(name);
  const withSave = existing && several ? ONE_LANGUAGE : withEntries(made, file);
  const shapeOf = ({ id, component }: ProjectPart) => choices.as[id] ?? usualShape(component.kind);
  const projects = projectParts.some((one) => shapeOf(one) === 'deck');
  return (
    <BundleForm
      planned={withSave}
      fileName={`${name} for Tabletop Simulator.zip`}
      several={several}
      planIn={(of, parts) => ({
        planned: withEntries(planned(parts, choices, of, undefined), saveName(of)),
        fileName: `${of} for Tabletop Simulator.zip`,
      })}
      action="Export a ZIP"
      exporting={exporting}
      note="Put the JSON into Saves/Saved Objects of the game’s folder, after its pictures have an address that every player can reach."
      aside={
        <>
          {saveProblem && <Problem title={saveProblem} />}
          {made.report && (
            <p className={css.good} role="status">
              In <bdi>{existing?.name}</bdi>: {made.report.kept} cards stay where they are,{' '}
              {made.report.added} are added, {made.report.removed} removed.
            </p>
          )}
        </>
      }
    >
      {choice}
      {projectParts.map((one) => (
        <NativeSelect
          key={one.id}
          label={projectParts.length > 1 ? `${isolated(one.part.name)} as` : 'As'}
          value={shapeOf(one)}
          data={SHAPES}
          onChange={(event) =>
            setChoices({
              ...choices,
              as: { ...choices.as, [one.id]: event.currentTarget.value as TableShape },
            })
          }
        />
      ))}
      <NotebookRulebook project={project} onPage={onPage} />
      {projects && (
        <Field label="Pictures of cards">
          {(id) => (
            <SegmentedControl
              aria-labelledby={id}
              fullWidth
              value={settings.pictures}
              data={[
                { value: 'sheets', label: 'On sheets' },
                { value: 'single', label: 'One a card' },
              ]}
              onChange={(pictures) => set({ pictures: pictures as SimulatorSettings['pictures'] })}
            />
          )}
        </Field>
      )}
      <NativeSelect
        label="Sharpness"
        value={String(settings.dpi)}
        data={[
          { value: '150', label: 'Small, 150 dots per inch' },
          { value: '200', label: 'Good, 200 dots per inch' },
          { value: '270', label: 'Sharp, 270 dots per inch' },
          { value: '325', label: 'Sharpest, 325 dots per inch' },
        ]}
        onChange={(event) => set({ dpi: Number(event.currentTarget.value) })}
      />
      <Section title="Names and notes" hint={choices.fields.nickname || 'name column'}>
        {column('Nickname', 'nickname', 'The name column')}
        {column('Description', 'description', 'None')}
        {column('Game master’s notes', 'gmNotes', 'None')}
        {column('Tags, parted by commas', 'tags', 'None')}
        {column('Lua script', 'lua', 'None')}
      </Section>
      <Section title="More" hint={settings.type === 'image/png' ? 'PNG' : 'JPEG'}>
        <NativeSelect
          label="Others see of a hand"
          value={settings.hidden}
          data={[
            { value: 'back', label: 'The card’s back' },
            { value: 'blank', label: 'An empty face' },
          ]}
          onChange={(event) => set({ hidden: event.currentTarget.value as SimulatorSettings['hidden'] })}
        />
        {!existing && (
          <Checkbox
            label="Places that cards jump to, for drawing and discarding"
            checked={choices.snapPoints}
            onChange={(event) => setChoices({ ...choices, snapPoints: event.currentTarget.checked })}
          />
        )}
        <NativeSelect
          label="Sheets as"
          value={settings.type}
          data={[
            { value: 'image/jpeg', label: 'JPEG, small' },
            { value: 'image/png', label: 'PNG, exact' },
          ]}
          onChange={(event) => set({ type: event.currentTarget.value as SimulatorSettings['type'] })}
        />
      </Section>
      <Section title="Update a save" hint={existing ? existing.name : 'new'}>
        <p className={css.hint}>
          Choose a save of yours: its cards are brought up to date and stay where they lie.
        </p>
        <FileButton
          accept=".json,application/json"
          inputProps={{ 'aria-label': 'Save of Tabletop Simulator' }}
          resetRef={forgetFile}
          onChange={(chosen) => void choose(chosen ?? undefined).finally(() => forgetFile.current?.())}
        >
          {(props) => (
            <Button {...props} size="xs" variant="default" leftSection={<FileUp size={14} aria-hidden />}>
              {existing ? 'Choose another save…' : 'Choose a save…'}
            </Button>
          )}
        </FileButton>
        {existing && (
          <Button size="xs" variant="default" onClick={() => setExisting(undefined)}>
            Make a new one
          </Button>
        )}
      </Section>
      {made.save && project.inBrowser && (
        <AccountNeeded>Other players reach the pictures once they lie on this server.</AccountNeeded>
      )}
      {made.save && !project.inBrowser && (
        <PublishSave project={project} save={made.save} paintings={made.plan?.images ?? []} fileName={file} />
      )}
    </BundleForm>
  );
}
