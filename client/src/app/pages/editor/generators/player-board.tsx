import { Button, Textarea } from '@mantine/core';
import { ClipboardList, Columns3 } from 'lucide-react';
import {
  type BoardLine,
  boardRemarks,
  MAX_BOARD_LINES,
  playerBoardZones,
  readBoardLine,
} from '../../../../core/generators/player-board-zones.ts';
import type { TableColumn } from '../../../../data/documents/documents.ts';
import { ColorField, Pair } from '../panels/fields/fields.tsx';
import { NumberField } from '../panels/fields/number-field.tsx';
import css from '../panels/map/map-fields.module.css';
import { anyGenerator, type SettingsFieldsProps } from './generator.ts';

interface PlayerBoardFill {
  /** One line of the board a line. */
  readonly lines: string;
  /** Names of the table's columns, as they were when the lines were last changed. */
  readonly columns: readonly string[];
  /** Share of the width that the names take, in percent. */
  readonly names: number;
  readonly size: number;
  readonly colour: string;
  readonly line: string;
}

const MAX_LINES_LENGTH = MAX_BOARD_LINES * 80;
/** Range of the tracks that numbers begin with. */
const TRACK = '0–10';

const written = ({ lines }: Pick<PlayerBoardFill, 'lines'>): string[] =>
  lines.split('\n').filter((line) => line.trim() !== '');
const linesOf = (settings: PlayerBoardFill): BoardLine[] =>
  written(settings).map((line) => readBoardLine(line, settings.columns));

/** A line for each column: numbers become tracks, others show what the row says. */
const linesForColumns = (columns: readonly TableColumn[]): string =>
  columns.map(({ name, type }) => (type === 'number' ? `${name} ${TRACK}` : name)).join('\n');

function PlayerBoardFields({ settings, onChange, data }: SettingsFieldsProps<PlayerBoardFill>) {
  const columns = data.columns.map(({ name }) => name);
  const set = (change: Partial<PlayerBoardFill>) => onChange({ ...settings, columns, ...change });
  return (
    <>
      <Textarea
        size="xs"
        label="Lines"
        description="“Gold 0–10” is a track, “Workers × 5” five slots, a column’s name what its row says."
        autosize
        minRows={4}
        maxRows={14}
        maxLength={MAX_LINES_LENGTH}
        value={settings.lines}
        onChange={(event) => set({ lines: event.currentTarget.value })}
      />
      <p className={css.missing} aria-live="polite">
        {boardRemarks(written(settings)).join(' ')}
      </p>
      {data.columns.length > 0 && (
        <div className={css.row}>
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<Columns3 size={14} aria-hidden />}
            onClick={() => set({ lines: linesForColumns(data.columns) })}
          >
            A line for each column
          </Button>
        </div>
      )}
      <Pair>
        <NumberField
          label="Room for names"
          unit="%"
          step={5}
          min={5}
          max={80}
          value={settings.names}
          onChange={(names) => set({ names })}
        />
        <NumberField
          label="Letters"
          unit="pt"
          step={1}
          min={4}
          max={100}
          value={settings.size}
          onChange={(size) => set({ size })}
        />
        <ColorField label="Colour" value={settings.colour} onChange={(colour) => set({ colour })} />
        <ColorField label="Line" value={settings.line} onChange={(line) => set({ line })} />
      </Pair>
    </>
  );
}

/** A board for one player: tracks, slots, and what columns of the table say. */
export const PLAYER_BOARD = anyGenerator<PlayerBoardFill>({
  id: 'player-board',
  name: 'Player board',
  label: 'Add a player board',
  icon: ClipboardList,
  first: {
    lines: 'Your realm\nGold 0–10\nWood 0–10\nWorkers × 5',
    columns: [],
    names: 24,
    size: 12,
    colour: '#fffaf0',
    line: '#6b5b45',
  },
  make: ({ x, y, w, h }, settings, newId) =>
    playerBoardZones(
      { x, y, w, h },
      linesOf(settings),
      {
        colour: settings.colour,
        line: settings.line,
        names: settings.names / 100,
        type: { family: 'alegreya', size: settings.size, color: '#2b2d42' },
      },
      newId,
    ),
  Fields: PlayerBoardFields,
});
