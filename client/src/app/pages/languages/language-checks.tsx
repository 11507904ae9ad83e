import { Button } from '@mantine/core';
import { CircleCheck } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { TranslatedUnit } from '../../../core/translation/translation.ts';
import type { Project } from '../../../data/project/open-project.ts';
import { useLayouts } from '../../../data/project/queries.ts';
import { describeError } from '../../../data/server/messages.ts';
import type { CardContents, CardLanguage } from '../../../data/translations/card-language.ts';
import { Problem } from '../../../ui/page/page.tsx';
import css from './languages.module.css';
import { type LaidFinding, layOutLanguage } from './lay-out-language.ts';

/** Most findings of one kind that are listed. */
const MAX_LISTED = 100;

interface Finding {
  readonly unit: string;
  readonly where: string;
  readonly message: string;
}

interface Group {
  readonly title: string;
  readonly findings: readonly Finding[];
}

const findingOf = ({ unit }: TranslatedUnit, message: string): Finding => ({
  unit: unit.id,
  where: [unit.heading, unit.label].filter(Boolean).join(' · '),
  message,
});

/** Findings that need no layout. */
function textGroups(units: readonly TranslatedUnit[]): Group[] {
  return [
    {
      title: 'Placeholders are lost',
      findings: units.flatMap((one) => (one.fault === undefined ? [] : [findingOf(one, one.fault)])),
    },
    {
      title: 'Equal to the source',
      findings: units.flatMap((one) =>
        one.text === one.unit.source ? [findingOf(one, 'The translation is the source itself.')] : [],
      ),
    },
  ];
}

/** Faults of a language: its texts at once, and how they are set when one asks. */
export function LanguageChecks({
  project,
  chosen,
  contents,
  onUnit,
}: {
  project: Project;
  chosen: CardLanguage;
  contents: readonly CardContents[];
  onUnit: (unit: string) => void;
}) {
  const layouts = useLayouts(project).data?.items;
  const [laid, setLaid] = useState<readonly LaidFinding[]>();
  const [done, setDone] = useState<number>();
  const [failure, setFailure] = useState<string>();
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);
  const total = contents.reduce((sum, { cards }) => sum + cards.length, 0);
  const check = (): void => {
    if (!layouts) return;
    abort.current?.abort();
    const controller = new AbortController();
    const { signal } = controller;
    abort.current = controller;
    setDone(0);
    setFailure(undefined);
    layOutLanguage(chosen, contents, layouts, { signal, onProgress: setDone }).then(
      (findings) => {
        if (signal.aborted) return;
        setLaid(findings);
        setDone(undefined);
      },
      (error: unknown) => {
        if (signal.aborted) return;
        setFailure(describeError(error));
        setDone(undefined);
      },
    );
  };
  const groups = [
    ...textGroups(chosen.units),
    ...(['overflow', 'font-fallback'] as const).map((kind) => ({
      title: kind === 'overflow' ? 'Text does not fit' : 'Font or letter is missing',
      findings: (laid ?? []).filter((one) => one.kind === kind),
    })),
  ].filter(({ findings }) => findings.length > 0);
  return (
    <section className={css.checks} aria-label="Checks">
      <h2>Checks</h2>
      {failure && <Problem title={failure} />}
      {groups.map((group) => (
        <Findings key={group.title} group={group} onUnit={onUnit} />
      ))}
      {laid && groups.length === 0 && (
        <p className={css.note}>
          <CircleCheck size={17} aria-hidden /> Every translation fits its card.
        </p>
      )}
      <Button variant="default" size="xs" loading={done !== undefined} disabled={!layouts} onClick={check}>
        {laid ? 'Check again how texts fit' : 'Check how texts fit'}
      </Button>
      <p role="status" className={css.note}>
        {done === undefined ? '' : `Checking card ${done} of ${total}…`}
      </p>
    </section>
  );
}

function Findings({ group: { title, findings }, onUnit }: { group: Group; onUnit: (unit: string) => void }) {
  return (
    <>
      <h3>
        {title} <span>{findings.length}</span>
      </h3>
      <ul>
        {findings.slice(0, MAX_LISTED).map(({ unit, where, message }) => (
          <li key={`${unit} ${message}`}>
            <button type="button" onClick={() => onUnit(unit)}>
              <b>{where}</b> {message}
            </button>
          </li>
        ))}
        {findings.length > MAX_LISTED && <li>and {findings.length - MAX_LISTED} more</li>}
      </ul>
    </>
  );
}
