import { CircleCheck, Download, Trash2, Undo2, Upload } from 'lucide-react';
import {
  type KeyboardEvent,
  type RefObject,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { languageName, type Whole } from '../../core/translation/languages.ts';
import { type Entries, stateCounts, type TranslatedUnit } from '../../core/translation/translation.ts';
import type { TranslationHead } from '../../core/translation/xliff-write.ts';
import type { TranslationPlace } from '../../data/translations/translation-place.ts';
import { Problem } from '../../ui/page/page.tsx';
import { Tabs } from '../../ui/page/tabs.tsx';
import { ImportWindow } from './import-window.tsx';
import { offerCsv, offerWorkbook, offerXliff } from './offer-files.ts';
import { takesTables } from './read-translation-file.ts';
import { RemoveLanguage } from './remove-language.tsx';
import css from './translation.module.css';
import { type UnitActions, UnitRow } from './unit-row.tsx';
import { useTranslating } from './use-translating.ts';
import type { TranslationWriter } from './writer.ts';

type Filter = 'all' | 'missing' | 'stale' | 'terms';

/** Departures from terms, in words, by the ids of their units. */
export type Departures = ReadonlyMap<string, readonly string[]>;

const NO_DEPARTURES: Departures = new Map();

/** A unit to go to; another object each time, so that the same can be gone to twice. */
export interface WantedUnit {
  readonly unit: string;
}

interface PaneProps {
  /** Id of the project. */
  readonly project: string;
  readonly place: TranslationPlace;
  readonly head: TranslationHead;
  readonly units: readonly TranslatedUnit[];
  readonly entries: Entries;
  readonly mayEdit: boolean;
  /** True if the translation as a whole may be removed. */
  readonly mayRemove: boolean;
  readonly wanted: WantedUnit | undefined;
  readonly departures?: Departures | undefined;
  /** Source and translation beside each other. */
  readonly wide?: boolean | undefined;
  readonly onRemoved?: () => void;
  /** Called with what the text with the cursor stands in. */
  readonly onPlace: (place: string) => void;
}

/** Texts that are shown at once when a long translation is opened. */
const FIRST_ROWS = 60;

const needsWork = ({ state }: TranslatedUnit): boolean => state !== 'done';

/** Every text of a rulebook or of cards beside its translation into one language. */
export function TranslationPane(props: PaneProps) {
  const { project, place, head, units, entries, mayEdit, mayRemove, wanted, onPlace } = props;
  const departures = props.departures ?? NO_DEPARTURES;
  const language = head.to;
  const { writer, undoes, problem } = useTranslating(project, place, language, units, entries);
  const [importing, setImporting] = useState(false);
  const [removing, setRemoving] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const { filter, setFilter, shown, hold } = useFilter(units, departures);
  // Thousands of texts come after the first screens of them.
  const later = useDeferredValue(shown, shown.slice(0, FIRST_ROWS));
  const rows = shown.length > FIRST_ROWS ? later : shown;
  useWanted(list, wanted, units, () => {
    // Another set of rows each time would keep those that come later from ever being drawn.
    if (filter !== 'all') setFilter('all');
  });
  const actions = useActions(writer, hold, onPlace);
  const counts = stateCounts(units);
  const next = nextOpen(list, shown, writer);
  return (
    <section className={css.pane} aria-label={`Translation into ${languageName(language)}`}>
      <header className={css.head}>
        <div className={css.title}>
          <h2>{props.wide ? 'Texts' : languageName(language)}</h2>
          <span className={css.count}>
            {counts.done} of {units.length} done
          </span>
          <div className={css.set}>
            <button
              type="button"
              className={css.tool}
              disabled={undoes === undefined}
              aria-label={undoes === undefined ? 'Nothing to undo' : `Undo ${undoes}`}
              onClick={() => void writer.undo()}
            >
              <Undo2 size={14} aria-hidden />
            </button>
            <button type="button" className={css.tool} onClick={() => void offerXliff(head, units)}>
              <Download size={14} aria-hidden /> XLIFF
            </button>
            {takesTables(head.whole) && (
              <>
                <button type="button" className={css.tool} onClick={() => void offerWorkbook(head, units)}>
                  <Download size={14} aria-hidden /> Excel
                </button>
                <button type="button" className={css.tool} onClick={() => void offerCsv(head, units)}>
                  <Download size={14} aria-hidden /> CSV
                </button>
              </>
            )}
            {mayEdit && (
              <button type="button" className={css.tool} onClick={() => setImporting(true)}>
                <Upload size={14} aria-hidden /> Import
              </button>
            )}
            {mayRemove && (
              <button
                type="button"
                className={css.tool}
                aria-label={`Remove ${languageName(language)}`}
                onClick={() => setRemoving(true)}
              >
                <Trash2 size={14} aria-hidden />
              </button>
            )}
          </div>
        </div>
        <div className={css.title}>
          <Tabs
            label="Texts"
            tabs={[
              { id: 'all', label: `All ${units.length}` },
              { id: 'missing', label: `Missing ${counts.missing}` },
              { id: 'stale', label: `Stale ${counts.stale}` },
              ...(departures.size > 0 || filter === 'terms'
                ? [{ id: 'terms' as const, label: `Terms ${departures.size}` }]
                : []),
            ]}
            shown={filter}
            onShow={setFilter}
          />
          {mayEdit && (
            <button
              type="button"
              className={`${css.tool} ${css.last}`}
              aria-keyshortcuts="Control+Enter"
              onClick={() => next(null)}
            >
              Next open <kbd>Ctrl Enter</kbd>
            </button>
          )}
        </div>
        {problem && <Problem title={problem} />}
      </header>
      {shown.length === 0 && <NoUnits filter={filter} none={units.length === 0} whole={head.whole} />}
      <ul
        ref={list}
        className={props.wide ? `${css.units} ${css.wide}` : css.units}
        aria-label="Texts with their translations"
        onKeyDown={(event) => mayEdit && onNextKey(event, units, next)}
      >
        {rows.map((one, at) => (
          <UnitRow
            key={one.unit.id}
            heading={one.unit.place === rows[at - 1]?.unit.place ? undefined : one.unit.heading}
            one={one}
            writer={writer}
            language={language}
            from={head.from}
            mayEdit={mayEdit}
            departs={departures.get(one.unit.id)?.join(' ')}
            actions={actions}
          />
        ))}
      </ul>
      <ImportWindow
        open={importing}
        {...props}
        onTake={(plan, from) => writer.take(plan, from)}
        onClose={() => setImporting(false)}
      />
      <RemoveLanguage
        open={removing}
        {...props}
        language={language}
        onRemoved={props.onRemoved}
        onClose={() => setRemoving(false)}
      />
    </section>
  );
}

const NO_TEXT: Readonly<Record<Whole, string>> = {
  rulebook: 'There is no text yet: write the rulebook first.',
  project: 'There is no text yet: texts that the layouts of your cards show appear here.',
};

function NoUnits({ filter, none, whole }: { filter: Filter; none: boolean; whole: Whole }) {
  const words = none
    ? NO_TEXT[whole]
    : filter === 'missing'
      ? 'Nothing is missing: every text has a translation.'
      : filter === 'stale'
        ? 'Nothing is stale: no text has changed since it was translated.'
        : 'Every text translates terms and names of cards as the project does.';
  return (
    <p className={css.none}>
      {!none && <CircleCheck size={17} aria-hidden />} {words}
    </p>
  );
}

/** Texts of a state, and those that left it while one worked on them: a row goes only when the filter is chosen again. */
function useFilter(units: readonly TranslatedUnit[], departures: Departures) {
  const [filter, setFilter] = useState<Filter>('all');
  const [held, setHeld] = useState<ReadonlySet<string>>(new Set());
  const shown = useMemo(
    () =>
      units.filter(
        ({ unit, state }) =>
          filter === 'all' ||
          (filter === 'terms' ? departures.has(unit.id) : state === filter) ||
          held.has(unit.id),
      ),
    [units, filter, held, departures],
  );
  return {
    filter,
    shown,
    setFilter: (next: Filter) => {
      setFilter(next);
      setHeld(new Set());
    },
    hold: (unit: string) => {
      if (filter !== 'all') setHeld((known) => (known.has(unit) ? known : new Set(known).add(unit)));
    },
  };
}

/** The same actions at every call, so that a letter draws one row anew. */
function useActions(
  writer: TranslationWriter,
  hold: (unit: string) => void,
  onPlace: (place: string) => void,
): UnitActions {
  const now = useRef({ hold, onPlace });
  now.current = { hold, onPlace };
  return useMemo(
    () => ({
      type: (unit, text) => {
        now.current.hold(unit);
        writer.type(unit, text);
      },
      save: (unit) => void writer.save(unit),
      accept: (unit) => {
        now.current.hold(unit);
        void writer.save(unit, true);
      },
      show: (at) => now.current.onPlace(at),
    }),
    [writer],
  );
}

const fieldOf = (list: HTMLElement | null, unit: string): HTMLTextAreaElement | null | undefined =>
  list?.querySelector<HTMLTextAreaElement>(`[data-unit="${CSS.escape(unit)}"] textarea`);

/** Goes to a unit that was asked for, whatever the filter. */
function useWanted(
  list: RefObject<HTMLElement | null>,
  wanted: WantedUnit | undefined,
  units: readonly TranslatedUnit[],
  showAll: () => void,
): void {
  const gone = useRef<WantedUnit>(undefined);
  useEffect(() => {
    if (!wanted || gone.current === wanted || !units.some(({ unit }) => unit.id === wanted.unit)) return;
    const field = fieldOf(list.current, wanted.unit);
    if (!field) {
      showAll();
      return;
    }
    gone.current = wanted;
    field.focus();
    field.closest('li')?.scrollIntoView({ block: 'center' });
  });
}

/** Stores a text and goes to the next one that is missing or stale; the answer takes the text to begin at. */
function nextOpen(
  list: RefObject<HTMLElement | null>,
  shown: readonly TranslatedUnit[],
  writer: TranslationWriter,
): (from: TranslatedUnit | null) => Promise<void> {
  return async (from) => {
    if (from && !(await writer.save(from.unit.id, true))) return;
    const at = from ? shown.findIndex(({ unit }) => unit.id === from.unit.id) : -1;
    const rest = [...shown.slice(at + 1), ...shown.slice(0, Math.max(0, at))];
    const found = rest.find(needsWork);
    if (found) fieldOf(list.current, found.unit.id)?.focus();
  };
}

/** Control and Enter in a field stores it and goes on. */
function onNextKey(
  event: KeyboardEvent,
  units: readonly TranslatedUnit[],
  next: (from: TranslatedUnit | null) => Promise<void>,
): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  const id = (event.target as HTMLElement).closest<HTMLElement>('[data-unit]')?.dataset.unit;
  const one = units.find(({ unit }) => unit.id === id);
  if (!one) return;
  event.preventDefault();
  void next(one);
}
