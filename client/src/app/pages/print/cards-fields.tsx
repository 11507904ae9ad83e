import { Button, Checkbox, NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import { cardName } from '../../../core/imposition/job/card-name.ts';
import type { PrintSettings } from '../../../core/imposition/settings.ts';
import { languageName } from '../../../core/translation/languages.ts';
import type { PrintRunDocument, WithId } from '../../../data/documents/documents.ts';
import type { ProjectPart } from '../../../data/project/project-parts.ts';
import { Field } from './fields.tsx';
import css from './print.module.css';
import { printWords } from './prints/print-words.ts';

/** Selection among the chosen cards. */
export interface CardChoice {
  /** Ranges as typed; of a single component only. */
  readonly ranges: string;
  /** Number of the run after which a card must have changed; 0 prints all. */
  readonly since: number;
}

export const EVERY_CARD: CardChoice = { ranges: '', since: 0 };

/** Cards to print, and the number of copies. */
export function CardsFields({
  settings,
  onSettings,
  choice,
  onChoice,
  problem,
  only,
  runs,
  language,
  several,
  changed,
  onForgetChoice,
}: {
  settings: PrintSettings;
  onSettings: (settings: PrintSettings) => void;
  choice: CardChoice;
  onChoice: (choice: CardChoice) => void;
  /** Fault in the ranges. */
  problem: string | undefined;
  /** The component, when there is one only. */
  only: ProjectPart | undefined;
  /** Prints in the language of the cards. */
  runs: readonly WithId<PrintRunDocument>[];
  /** Tag of the language that the cards are translated into. */
  language: string | undefined;
  /** Other languages are printed, too. */
  several: boolean;
  /** Names of the cards that changed; undefined while they are compared. */
  changed: readonly string[] | undefined;
  onForgetChoice: () => void;
}) {
  return (
    <>
      <Field label="Copies">
        {(id) => (
          <SegmentedControl
            aria-labelledby={id}
            fullWidth
            value={settings.copies}
            data={[
              { value: 'column', label: 'As in the list' },
              { value: 'one', label: 'One of each' },
            ]}
            onChange={(copies) => onSettings({ ...settings, copies: copies as PrintSettings['copies'] })}
          />
        )}
      </Field>
      {only && (
        <>
          <TextInput
            size="sm"
            label="Cards"
            placeholder={`All ${only.cards.length}`}
            description="Such as 1-9, 12, or 5x3 for three copies of card 5."
            error={problem}
            value={choice.ranges}
            onChange={(event) => onChoice({ ...choice, ranges: event.currentTarget.value })}
          />
          <CardPicker only={only} choice={choice} onChoice={onChoice} />
        </>
      )}
      {runs.length > 0 && (
        <NativeSelect
          label="Only what changed"
          description={[
            ...(language ? [`Prints in ${languageName(language)}.`] : []),
            ...(several ? ['Other languages: since the last print of each.'] : []),
          ].join(' ')}
          value={String(choice.since)}
          data={[
            { value: '0', label: 'Print all of them' },
            ...runs.map((run) => ({ value: String(run.number), label: `Since ${printWords(run)}` })),
          ]}
          onChange={(event) => onChoice({ ...choice, since: Number(event.currentTarget.value) })}
        />
      )}
      {choice.since > 0 && (
        <div className={css.changed} role="status">
          {changed === undefined && <p>Comparing with print {choice.since}…</p>}
          {changed?.length === 0 && (
            <>
              <p>No card looks different from print {choice.since}.</p>
              <Button size="xs" variant="default" onClick={onForgetChoice}>
                Print all of them
              </Button>
            </>
          )}
          {changed && changed.length > 0 && (
            <details>
              <summary>
                {changed.length} {changed.length === 1 ? 'card' : 'cards'} changed
              </summary>
              <ul>
                {changed.map((name, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: two cards may have one name
                  <li key={`${name}:${index}`}>{name}</li>
                ))}
              </ul>
            </details>
          )}
        </div>
      )}
    </>
  );
}

/** Most cards listed with boxes to tick; longer lists are chosen from by their numbers. */
const MAX_PICKED = 400;

function CardPicker({
  only,
  choice,
  onChoice,
}: {
  only: ProjectPart;
  choice: CardChoice;
  onChoice: (choice: CardChoice) => void;
}) {
  const { cards, part } = only;
  if (cards.length > MAX_PICKED) return null;
  const chosen = chosenCards(choice.ranges, cards.length);
  const toggle = (index: number, on: boolean) => {
    const next = chosen.map((was, at) => (at === index ? on : was));
    onChoice({ ...choice, ranges: next.every(Boolean) ? '' : formatRanges(next) });
  };
  return (
    <details className={css.picker}>
      <summary>Choose from the list</summary>
      <ul>
        {cards.map((card, index) => (
          <li key={card.id}>
            <Checkbox
              size="xs"
              label={`${index + 1}. ${cardName(part.cards[index]?.row ?? card, part.columns, index)}`}
              checked={chosen[index] ?? false}
              onChange={(event) => toggle(index, event.currentTarget.checked)}
            />
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Cards named by a list of ranges; a range that cannot be parsed names none. */
function chosenCards(text: string, count: number): boolean[] {
  if (text.trim() === '') return Array.from({ length: count }, () => true);
  const chosen = Array.from({ length: count }, () => false);
  for (const match of text.matchAll(/(\d+)(?:\s*[-–]\s*(\d*))?(?:\s*[x×]\s*\d+)?/gi)) {
    const first = Number(match[1]);
    const last = match[2] === undefined ? first : match[2] === '' ? count : Number(match[2]);
    for (let card = first; card <= Math.min(last, count); card++) chosen[card - 1] = true;
  }
  return chosen;
}

function formatRanges(chosen: readonly boolean[]): string {
  const parts: string[] = [];
  for (let start = 0; start < chosen.length; start++) {
    if (!chosen[start]) continue;
    let end = start;
    while (chosen[end + 1]) end++;
    parts.push(start === end ? String(start + 1) : `${start + 1}-${end + 1}`);
    start = end;
  }
  return parts.join(', ') || '1x0';
}
