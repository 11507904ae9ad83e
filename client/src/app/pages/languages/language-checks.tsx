import { Button } from '@mantine/core';
import { CircleCheck } from 'lucide-react';
import type { TranslatedUnit } from '../../../core/translation/translation.ts';
import type { CardLanguage } from '../../../data/translations/card-language.ts';
import { Problem } from '../../../ui/page/page.tsx';
import css from './languages.module.css';
import type { LaidFinding, LaidKind } from './lay-out-language.ts';
import type { LaidOut } from './use-laid-out.ts';

/** Most findings of one kind that are listed. */
const MAX_LISTED = 100;
/** Texts that are listed as the smallest ones. */
const MAX_SMALLEST = 10;

interface Finding {
  readonly unit: string;
  readonly where: string;
  readonly message: string;
}

interface Group {
  readonly title: string;
  readonly findings: readonly Finding[];
}

const LAID: Readonly<Record<LaidKind, string>> = {
  overflow: 'Text does not fit',
  'font-fallback': 'Font or letter is missing',
  shrunk: 'Smallest texts',
};

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

/** Findings of laying out; those of small texts begin with the smallest. */
function laidGroups(laid: readonly LaidFinding[]): Group[] {
  const bySize = (kind: LaidKind) =>
    laid.filter((one) => one.kind === kind).sort((a, b) => (a.size ?? 0) - (b.size ?? 0));
  return (Object.keys(LAID) as LaidKind[]).map((kind) => ({
    title: LAID[kind],
    findings: bySize(kind).slice(0, kind === 'shrunk' ? MAX_SMALLEST : undefined),
  }));
}

/** Faults of a language: its texts at once, and how they are set when one asks. */
export function LanguageChecks({
  chosen,
  laidOut: { found, running, failure, check },
  onUnit,
}: {
  chosen: CardLanguage;
  laidOut: LaidOut;
  onUnit: (unit: string) => void;
}) {
  const laid = found.get(chosen.language);
  const groups = [...textGroups(chosen.units), ...laidGroups(laid ?? [])].filter(
    ({ findings }) => findings.length > 0,
  );
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
      <Button variant="default" size="xs" loading={running !== undefined} onClick={() => check([chosen])}>
        {laid ? 'Check again how texts fit' : 'Check how texts fit'}
      </Button>
      <p role="status" className={css.note}>
        {running ?? ''}
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
