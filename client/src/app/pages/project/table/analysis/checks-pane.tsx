import { Button } from '@mantine/core';
import { CircleCheck, RefreshCw } from 'lucide-react';
import { useContext, useEffect, useMemo, useState } from 'react';
import type { Layout } from '../../../../../core/scene/layout.ts';
import { checkTable, type Finding, type FindingKind } from '../../../../../core/table/preflight.ts';
import { inOwnLanguage } from '../../../../../core/text/fonts/own-language.ts';
import type { Card, Component, LayoutDocument, WithId } from '../../../../../data/documents/documents.ts';
import { looksOf } from '../../../../../data/layouts/card-layout.ts';
import { describeError } from '../../../../../data/server/messages.ts';
import { Loading, Problem } from '../../../../../ui/page/page.tsx';
import { preflight } from '../../../../../workers/preflight/preflight.ts';
import { OwnLanguageContext } from '../../../../painting/own-language.ts';
import { cardName } from '../../cards/card-grid.tsx';
import css from './checks.module.css';

/** Most findings of one kind that are listed. */
const MAX_LISTED = 300;

const TITLES: Readonly<Record<FindingKind, string>> = {
  overflow: 'Text does not fit',
  'missing-image': 'Image is missing',
  'missing-column': 'Column is missing',
  'font-fallback': 'Font or letter is missing',
  shrunk: 'Text shrinks',
  'outside-safe': 'Text outside the safe area',
  'low-resolution': 'Image too coarse for print',
  'duplicate-id': 'Id is missing or not its own',
  'unknown-token': 'Unknown word in braces',
  'word-icon': 'Icon for a word',
  formula: 'Formula cannot be worked out',
  'unused-column': 'Column is on no card',
  other: 'Something else',
};

/** Everything that should be looked at before printing, each one click from its cell. */
export function ChecksPane({
  component,
  cards,
  layout,
  layouts,
  readOnly,
  onGo,
  onAddColumn,
}: {
  component: WithId<Component>;
  /** With formula columns worked out. */
  cards: readonly WithId<Card>[];
  /** The component's own, as its cards set it. */
  layout: Layout | undefined;
  /** All that its cards may have. */
  layouts: readonly WithId<LayoutDocument>[];
  readOnly: boolean;
  onGo: (card: string, column: string | undefined) => void;
  /** Asked for the column of that name, which the layout wants and the table lacks. */
  onAddColumn: (name: string, card: string) => void;
}) {
  const [found, setFound] = useState<{ of: readonly WithId<Card>[]; findings: readonly Finding[] }>();
  const [done, setDone] = useState(0);
  const [failure, setFailure] = useState<string>();
  const language = useContext(OwnLanguageContext);
  const [round, setRound] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: checked when opened and when asked, not at every letter
  useEffect(() => {
    const abort = new AbortController();
    setDone(0);
    setFailure(undefined);
    setFound(undefined);
    const exempt = new Set(
      component.columns
        .filter(({ key, type }) => key === component.copiesColumn || type === 'style')
        .map(({ key }) => key)
        .concat([component.frontBy, component.backBy].flatMap((by) => by?.column ?? [])),
    );
    const rows = cards.map(({ cells }, i) => ({ cells, index: i + 1, count: cards.length }));
    const scenes = new Map(layouts.map(({ id, scene }) => [id, inOwnLanguage(scene, language)]));
    if (layout && component.layoutId) scenes.set(component.layoutId, inOwnLanguage(layout, language));
    const looks = looksOf(component, rows, scenes);
    const plain = checkTable(looks, rows, component.columns, component.idColumn, exempt);
    const cardFindings = looks.length
      ? preflight(looks, rows, component.columns, { signal: abort.signal, onProgress: setDone })
      : Promise.resolve([]);
    cardFindings.then(
      (findings) => {
        if (!abort.signal.aborted) setFound({ of: cards, findings: [...findings, ...plain] });
      },
      (error) => {
        if (!abort.signal.aborted) setFailure(describeError(error));
      },
    );
    return () => abort.abort();
  }, [
    round,
    layout,
    layouts,
    language,
    component.id,
    component.frontBy,
    component.backBy,
    component.backLayoutId,
  ]);

  const groups = useMemo(() => {
    const byKind = new Map<FindingKind, Finding[]>();
    for (const finding of found?.findings ?? []) {
      byKind.set(finding.kind, [...(byKind.get(finding.kind) ?? []), finding]);
    }
    return (Object.keys(TITLES) as FindingKind[]).flatMap((kind) => {
      const list = byKind.get(kind);
      return list ? [{ kind, list }] : [];
    });
  }, [found]);

  return (
    <div className={css.pane}>
      <header className={css.bar}>
        <p role="status">
          {failure
            ? ''
            : !found
              ? `Checking card ${done} of ${cards.length}…`
              : found.findings.length === 0
                ? `${cards.length} cards checked.`
                : `${found.findings.length} ${found.findings.length === 1 ? 'thing' : 'things'} to look at on ${cards.length} cards.`}
        </p>
        <Button
          variant="default"
          size="xs"
          leftSection={<RefreshCw size={14} aria-hidden />}
          onClick={() => setRound(round + 1)}
        >
          Check again
        </Button>
      </header>
      {failure && <Problem title={failure} />}
      {!found && !failure && <Loading label="Checking cards" />}
      {!layout && <p className={css.note}>Without a layout only the table itself can be checked.</p>}
      {found && found.findings.length === 0 && (
        <p className={css.clean}>
          <CircleCheck size={20} aria-hidden /> Nothing stands in the way of printing.
        </p>
      )}
      {groups.map(({ kind, list }) => (
        <section key={kind} className={css.group} aria-label={TITLES[kind]}>
          <h3>
            {TITLES[kind]} <span>{list.length}</span>
          </h3>
          <ul>
            {list.slice(0, MAX_LISTED).map((finding) => {
              const card = finding.card === undefined ? undefined : found?.of[finding.card];
              const target = card?.id ?? found?.of[0]?.id;
              const missing = readOnly ? undefined : finding.missing;
              return (
                <li key={`${finding.card}/${finding.column}/${finding.message}`}>
                  <button
                    type="button"
                    disabled={target === undefined}
                    onClick={() => {
                      if (target === undefined) return;
                      if (missing !== undefined) onAddColumn(missing, target);
                      else onGo(target, finding.column);
                    }}
                  >
                    {card && <b>{cardName(card, component.columns)}</b>} {finding.message}
                    {missing !== undefined && <span className={css.mend}>Add this column…</span>}
                  </button>
                </li>
              );
            })}
          </ul>
          {list.length > MAX_LISTED && <p className={css.note}>and {list.length - MAX_LISTED} more</p>}
        </section>
      ))}
    </div>
  );
}
