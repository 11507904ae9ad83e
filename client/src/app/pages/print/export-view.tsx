import { Button, Checkbox, NativeSelect, NumberInput, SegmentedControl } from '@mantine/core';
import { Download, FileDown } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import type { Card, Component as CardsComponent, WithId } from '../../../data/documents.ts';
import { describeError } from '../../../data/messages.ts';
import { useCards, useLayouts } from '../../../data/queries.ts';
import {
  DEFAULT_MARKS,
  DEFAULT_PAGE,
  impose,
  type MarksSpec,
  type PageSpec,
  type SheetPlan,
} from '../../../render/impose.ts';
import { EmptyState, Loading, Placeholder, Problem } from '../../../ui/page.tsx';
import css from './print.module.css';
import { SheetPreview } from './sheet-preview.tsx';
import { type ExportWork, useExport } from './use-export.ts';

/** Most cards' remarks that are listed after an export. */
const MAX_ISSUES_SHOWN = 20;

function planOf(
  size: { w: number; h: number } | undefined,
  copies: readonly number[],
  page: PageSpec,
  marks: MarksSpec,
): { plan?: SheetPlan; problem?: string } {
  if (!size) return {};
  try {
    return { plan: impose(size, copies, page, marks) };
  } catch (error) {
    return { problem: describeError(error) };
  }
}

function Result({ work, cards }: { work: ExportWork; cards: readonly WithId<Card>[] }) {
  if (work.at === 'failed') return <Problem title="The export failed.">{work.why}</Problem>;
  if (work.at !== 'done') return null;
  return (
    <div className={css.done} role="status">
      <strong>
        {work.pages} {work.pages === 1 ? 'page' : 'pages'}, {work.cards} cards
      </strong>
      <Button
        component="a"
        variant="default"
        href={work.url}
        download={work.name}
        leftSection={<Download size={16} aria-hidden />}
        fullWidth
      >
        Download {work.name}
      </Button>
      {work.issues.length > 0 && (
        <details>
          <summary>{work.issues.length} remarks on cards</summary>
          <ul>
            {work.issues.slice(0, MAX_ISSUES_SHOWN).map(({ card, issue }) => (
              <li key={`${card}:${issue.zone}:${issue.code}`}>
                Card {(cards[card]?.order ?? card) + 1}: {issue.message}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

/** Page options, what the sheets will look like, and the export itself. */
export function ExportView({
  deck,
  deckName,
  component,
  components,
  onComponent,
}: {
  deck: string;
  deckName: string;
  component: WithId<CardsComponent>;
  components: readonly WithId<CardsComponent>[];
  onComponent: (id: string) => void;
}) {
  const cards = useCards(deck, component.id);
  const layouts = useLayouts();
  const layout = layouts.data?.items.find((one) => one.id === component.layoutId);
  const [page, setPage] = useState<PageSpec>(DEFAULT_PAGE);
  const [crop, setCrop] = useState(true);
  const [withCopies, setWithCopies] = useState(true);
  const { work, start, cancel } = useExport();

  const list = cards.data?.items;
  const marks: MarksSpec = useMemo(() => ({ ...DEFAULT_MARKS, kind: crop ? 'crop' : 'none' }), [crop]);
  const copies = useMemo(
    () => (list ?? []).map((card) => (withCopies ? card.copies : 1)),
    [list, withCopies],
  );
  const { plan, problem } = useMemo(
    () => planOf(layout?.scene.size, copies, page, marks),
    [layout, copies, page, marks],
  );

  if (!list || !layouts.data) {
    return cards.error ? (
      <Problem title={describeError(cards.error)} />
    ) : (
      <>
        <Loading label="Loading cards" />
        <Placeholder height={420} radius={16} />
      </>
    );
  }
  if (!layout) {
    return (
      <EmptyState
        icon={<FileDown size={26} />}
        title="These cards have no layout yet"
        action={
          <Button component={Link} to={`/decks/${deck}?component=${component.id}`}>
            Choose a layout
          </Button>
        }
      >
        A layout says how they look on paper.
      </EmptyState>
    );
  }
  const running = work.at === 'running';
  const run = () =>
    void start(
      {
        layout: layout.scene,
        rows: list.map((card, i) => ({ cells: card.cells, copies: copies[i] ?? 1 })),
        columns: component.columns,
        page,
        marks,
        title: deckName ? `${deckName}: ${component.name}` : component.name,
      },
      `${component.name || 'cards'}.pdf`,
    );
  return (
    <div className={css.columns}>
      <form
        className={css.options}
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        {components.length > 1 && (
          <NativeSelect
            label="Component"
            value={component.id}
            data={components.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={(event) => onComponent(event.currentTarget.value)}
          />
        )}
        <div className={css.field}>
          <span id="paper">Paper</span>
          <SegmentedControl
            aria-labelledby="paper"
            fullWidth
            value={page.size}
            data={[
              { value: 'a4', label: 'A4' },
              { value: 'letter', label: 'Letter' },
            ]}
            onChange={(size) => setPage({ ...page, size: size as PageSpec['size'] })}
          />
        </div>
        <div className={css.field}>
          <span id="orientation">Orientation</span>
          <SegmentedControl
            aria-labelledby="orientation"
            fullWidth
            value={page.orientation}
            data={[
              { value: 'portrait', label: 'Portrait' },
              { value: 'landscape', label: 'Landscape' },
            ]}
            onChange={(orientation) =>
              setPage({ ...page, orientation: orientation as PageSpec['orientation'] })
            }
          />
        </div>
        <div className={css.pair}>
          <NumberInput
            label="Margin"
            suffix=" mm"
            min={0}
            max={60}
            value={page.margin}
            onChange={(value) => typeof value === 'number' && setPage({ ...page, margin: value })}
          />
          <NumberInput
            label="Gap"
            suffix=" mm"
            min={0}
            max={30}
            value={page.gap}
            onChange={(value) => typeof value === 'number' && setPage({ ...page, gap: value })}
          />
        </div>
        <Checkbox
          label="Crop marks"
          checked={crop}
          onChange={(event) => setCrop(event.currentTarget.checked)}
        />
        <Checkbox
          label="Print every copy"
          checked={withCopies}
          onChange={(event) => setWithCopies(event.currentTarget.checked)}
        />
        {running ? (
          <div className={css.progress}>
            <div
              role="progressbar"
              aria-label="Making the PDF"
              aria-valuemin={0}
              aria-valuemax={work.total}
              aria-valuenow={work.done}
              className={css.track}
            >
              <span style={{ width: `${work.total ? (100 * work.done) / work.total : 0}%` }} />
            </div>
            <p>{work.total ? `${work.done} of ${work.total}` : 'Loading fonts…'}</p>
            <Button variant="default" onClick={cancel}>
              Cancel
            </Button>
          </div>
        ) : (
          <Button
            type="submit"
            size="md"
            disabled={!plan || plan.sheets.length === 0}
            leftSection={<FileDown size={18} aria-hidden />}
          >
            Export PDF
          </Button>
        )}
        <Result work={work} cards={list} />
        <p className={css.hint}>Colours are RGB. Print at 100 %, without “fit to page”.</p>
      </form>
      <div className={css.preview}>
        {problem && <Problem title={problem} />}
        {plan && plan.sheets.length === 0 && (
          <Problem title="Every card has 0 copies, so no page would be printed." />
        )}
        {plan && plan.sheets.length > 0 && (
          <SheetPreview plan={plan} layout={layout.scene} cards={list} columns={component.columns} />
        )}
      </div>
    </div>
  );
}
