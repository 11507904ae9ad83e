import { Button, NativeSelect, SegmentedControl } from '@mantine/core';
import { useMemo, useState } from 'react';
import { nameColumn } from '../../../core/imposition/card-name.ts';
import { safeName } from '../../../core/imposition/file-names.ts';
import type { BundleEntry } from '../../../core/imposition/picture.ts';
import { PICTURES_PLACEHOLDER, rebasePage } from '../../../core/tabletop/rebase-tool.ts';
import { readSave, type TtsSave } from '../../../core/tabletop/save.ts';
import { playingCardsEntries, screentopEntries, tabletopiaEntries } from '../../../core/tabletop/sets.ts';
import {
  DEFAULT_SIMULATOR_SETTINGS,
  newSave,
  planSimulator,
  type SimulatorPlan,
  type SimulatorSettings,
  type TablePart,
} from '../../../core/tabletop/simulator.ts';
import { nextKey, type UpdateReport, updateSave } from '../../../core/tabletop/update.ts';
import type { DeckPart } from '../../../data/deck-parts.ts';
import { describeError } from '../../../data/messages.ts';
import { Problem } from '../../../ui/page.tsx';
import { BundleForm, type PlannedBundle } from './bundle-form.tsx';
import { Field, Section } from './fields.tsx';
import css from './print.module.css';
import { PublishSave } from './publish-save.tsx';
import { useExport } from './use-export.ts';

const TABLES = {
  tts: 'Tabletop Simulator',
  tabletopia: 'Tabletopia',
  screentop: 'Screentop',
  pcio: 'playingcards.io',
} as const;
type Table = keyof typeof TABLES;

const NOTES: Readonly<Record<Exclude<Table, 'tts'>, string>> = {
  tabletopia: 'One picture a side, all of exactly the same size; a back that all share is there once.',
  screentop: 'One grid picture a component: equal cells, blanks at the end, and a list of what is where.',
  pcio: 'Pictures and a table of the cards. The site’s own columns are not published: match them when you import.',
};

/** Dots per inch of cards in sets of single pictures. */
const SET_DPI = 200;

/** What the designer chose for Tabletop Simulator; columns go by name, so that components can differ. */
interface Choices {
  readonly settings: SimulatorSettings;
  readonly as: Readonly<Record<string, TablePart['as']>>;
  readonly fields: Readonly<Record<'nickname' | 'description' | 'gmNotes' | 'tags' | 'lua', string>>;
}

function tableParts(deck: readonly DeckPart[], { as, fields }: Choices): TablePart[] {
  return deck.map(({ component, cards, part }) => {
    const key = (name: string) => part.columns.find((column) => column.name === name)?.key;
    return {
      ...part,
      id: component.id,
      cardIds: cards.map(({ id }) => id),
      as: as[component.id] ?? 'deck',
      fields: {
        nickname: key(fields.nickname) ?? nameColumn(part.columns)?.key,
        description: key(fields.description),
        gmNotes: key(fields.gmNotes),
        tags: key(fields.tags),
        lua: key(fields.lua),
      },
    };
  });
}

/** Files for virtual tables. */
export function TablesPanel({
  deckId,
  title,
  deck,
}: {
  deckId: string;
  title: string;
  deck: readonly DeckPart[];
}) {
  const [table, setTable] = useState<Table>('tts');
  const choice = (
    <NativeSelect
      label="Table"
      value={table}
      data={Object.entries(TABLES).map(([value, label]) => ({ value, label }))}
      onChange={(event) => setTable(event.currentTarget.value as Table)}
    />
  );
  return table === 'tts' ? (
    <SimulatorForm deckId={deckId} title={title} deck={deck} choice={choice} />
  ) : (
    <SetForm key={table} title={title} deck={deck} table={table} choice={choice} />
  );
}

function SetForm({
  title,
  deck,
  table,
  choice,
}: {
  title: string;
  deck: readonly DeckPart[];
  table: Exclude<Table, 'tts'>;
  choice: React.ReactNode;
}) {
  const exporting = useExport();
  const planned = useMemo((): PlannedBundle => {
    const parts = deck.map(({ part }) => part);
    if (table === 'tabletopia') return { entries: tabletopiaEntries(parts, SET_DPI) };
    if (table === 'screentop') return { entries: screentopEntries(parts, SET_DPI) };
    return { entries: playingCardsEntries(parts, SET_DPI) };
  }, [deck, table]);
  return (
    <BundleForm
      planned={planned}
      fileName={`${title || 'cards'} for ${TABLES[table]}.zip`}
      action="Export a ZIP"
      exporting={exporting}
      note={NOTES[table]}
    >
      {choice}
    </BundleForm>
  );
}

interface Planned extends PlannedBundle {
  readonly plan?: SimulatorPlan;
  readonly save?: TtsSave;
  readonly report?: UpdateReport;
}

function SimulatorForm({
  deckId,
  title,
  deck,
  choice,
}: {
  deckId: string;
  title: string;
  deck: readonly DeckPart[];
  choice: React.ReactNode;
}) {
  const exporting = useExport();
  const [choices, setChoices] = useState<Choices>({
    settings: DEFAULT_SIMULATOR_SETTINGS,
    as: {},
    fields: { nickname: '', description: '', gmNotes: '', tags: '', lua: '' },
  });
  const [existing, setExisting] = useState<{ name: string; save: TtsSave }>();
  const [saveProblem, setSaveProblem] = useState<string>();
  const { settings } = choices;
  const set = (change: Partial<SimulatorSettings>) =>
    setChoices({ ...choices, settings: { ...settings, ...change } });
  const name = title || 'Cards';
  const planned = useMemo(
    () => planSave(tableParts(deck, choices), choices.settings, name, existing?.save),
    [deck, choices, name, existing],
  );
  const columns = [...new Set(deck.flatMap(({ part }) => part.columns.map((column) => column.name)))];
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
      setExisting({ name: file.name, save: readSave(await file.text()) });
    } catch (error) {
      setSaveProblem(describeError(error));
    }
  };
  const file = existing?.name ?? `${safeName(name) || 'cards'}.json`;
  const withSave: PlannedBundle = planned.save
    ? {
        entries: [
          ...planned.entries.map((entry) => ({ ...entry, name: `pictures/${entry.name}` })),
          { name: file, kind: 'text', text: JSON.stringify(planned.save, null, 2) } satisfies BundleEntry,
          {
            name: 'set the address of the pictures.html',
            kind: 'text',
            text: rebasePage(file),
          } satisfies BundleEntry,
        ],
      }
    : planned;
  const decks = deck.some(({ component }) => (choices.as[component.id] ?? 'deck') === 'deck');
  return (
    <BundleForm
      planned={withSave}
      fileName={`${name} for Tabletop Simulator.zip`}
      action="Export a ZIP"
      exporting={exporting}
      note="Put the JSON into Saves/Saved Objects of the game’s folder, after its pictures have an address that every player can reach."
      aside={
        <>
          {saveProblem && <Problem title={saveProblem} />}
          {planned.report && (
            <p className={css.good} role="status">
              In {existing?.name}: {planned.report.kept} cards stay where they are, {planned.report.added} are
              added, {planned.report.removed} removed.
            </p>
          )}
        </>
      }
    >
      {choice}
      {deck.map(({ component }) => (
        <NativeSelect
          key={component.id}
          label={deck.length > 1 ? `${component.name} as` : 'As'}
          value={choices.as[component.id] ?? 'deck'}
          data={[
            { value: 'deck', label: 'A deck of cards' },
            { value: 'token', label: 'Tokens' },
            { value: 'tile', label: 'Tiles' },
            { value: 'board', label: 'Boards' },
            { value: 'figurine', label: 'Standees' },
          ]}
          onChange={(event) =>
            setChoices({
              ...choices,
              as: { ...choices.as, [component.id]: event.currentTarget.value as TablePart['as'] },
            })
          }
        />
      ))}
      {decks && (
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
        <input
          type="file"
          accept=".json,application/json"
          aria-label="Save of Tabletop Simulator"
          className={css.file}
          onChange={(event) => void choose(event.currentTarget.files?.[0])}
        />
        {existing && (
          <Button size="xs" variant="default" onClick={() => setExisting(undefined)}>
            Make a new one
          </Button>
        )}
      </Section>
      {planned.save && (
        <PublishSave
          deck={deckId}
          save={planned.save}
          pictures={planned.plan?.pictures ?? []}
          fileName={file}
        />
      )}
    </BundleForm>
  );
}

function planSave(
  parts: readonly TablePart[],
  settings: SimulatorSettings,
  name: string,
  existing: TtsSave | undefined,
): Planned {
  try {
    const url = (file: string) => `${PICTURES_PLACEHOLDER}${file}`;
    const plan = planSimulator(parts, settings, url, existing ? nextKey(existing) : 1);
    if (plan.pictures.length === 0) return { entries: [] };
    if (!existing) return { entries: plan.pictures, plan, save: newSave(plan, name) };
    const { save, report } = updateSave(existing, plan);
    return { entries: plan.pictures, plan, save, report };
  } catch (error) {
    return { entries: [], problem: describeError(error) };
  }
}
