import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { sourcesShown } from '../../../core/translation/cards/sources-shown.ts';
import { languageName } from '../../../core/translation/languages.ts';
import { stateCounts, type TranslatedUnit } from '../../../core/translation/translation.ts';
import type { CardLanguage } from '../../../data/translations/card-language.ts';
import { Problem } from '../../../ui/page/page.tsx';
import css from './languages.module.css';
import type { LaidFinding, LaidKind } from './lay-out-language.ts';
import type { LaidOut } from './use-laid-out.ts';

/** Every language with what its checks found; a number leads to the first text that it counts. */
export function LanguageTable({ all, laidOut }: { all: readonly CardLanguage[]; laidOut: LaidOut }) {
  const { found, running, failure, check } = laidOut;
  return (
    <>
      {failure && <Problem title={failure} />}
      <div className={css.scroll}>
        <table className={css.table}>
          <thead>
            <tr>
              <th scope="col">Language</th>
              <th scope="col">Done</th>
              <th scope="col">Missing</th>
              <th scope="col">Stale</th>
              <th scope="col">Lost placeholders</th>
              <th scope="col">Equal to the source</th>
              <th scope="col">Cards that show the source</th>
              <th scope="col">Does not fit</th>
              <th scope="col">Missing letters</th>
              <th scope="col">Smallest shrunk text</th>
            </tr>
          </thead>
          <tbody>
            {all.map((one) => (
              <Row key={one.language} one={one} laid={found.get(one.language)} />
            ))}
          </tbody>
        </table>
      </div>
      <div className={css.layOut}>
        <Button variant="default" size="xs" loading={running !== undefined} onClick={() => check(all)}>
          Check how texts fit in every language
        </Button>
        <p role="status" className={css.note}>
          {running ?? ''}
        </p>
      </div>
    </>
  );
}

/** Address of a text in a language. */
const addressOf = (language: string, unit: string): string => `?${new URLSearchParams({ language, unit })}`;

function Row({
  one: { language, units },
  laid,
}: {
  one: CardLanguage;
  laid: readonly LaidFinding[] | undefined;
}) {
  const { done } = stateCounts(units);
  const name = languageName(language);
  const count = (what: string, of: readonly string[], shown: ReactNode = of.length) => (
    <Count what={`${name}: ${what}`} first={of[0] && addressOf(language, of[0])} shown={shown} />
  );
  const texts = (test: (one: TranslatedUnit) => boolean): string[] =>
    units.filter(test).map(({ unit }) => unit.id);
  const set = (kind: LaidKind): string[] | undefined =>
    laid?.filter((one) => one.kind === kind).map(({ unit }) => unit);
  const missing = texts(({ state }) => state === 'missing');
  const stale = texts(({ state }) => state === 'stale');
  const lost = texts(({ fault }) => fault !== undefined);
  const same = texts(({ unit, text }) => text === unit.source);
  const { cards } = sourcesShown(units);
  const onCards = texts(({ unit }) => unit.place === cards[0]);
  const [overflow, letters] = [set('overflow'), set('font-fallback')];
  const smallest = smallestOf(laid);
  return (
    <tr>
      <th scope="row">
        <Link to={`?language=${language}`}>{name}</Link> <span>{language}</span>
      </th>
      <td>
        {done} of {units.length}
      </td>
      <td>{count('missing', missing)}</td>
      <td data-warn={stale.length > 0}>{count('stale', stale)}</td>
      <td data-bad={lost.length > 0}>{count('lost placeholders', lost)}</td>
      <td>{count('equal to the source', same)}</td>
      <td>{count('cards that show the source', onCards, cards.length)}</td>
      <td data-bad={(overflow?.length ?? 0) > 0}>{overflow ? count('does not fit', overflow) : '–'}</td>
      <td data-bad={(letters?.length ?? 0) > 0}>{letters ? count('missing letters', letters) : '–'}</td>
      <td>
        {smallest
          ? count('smallest shrunk text', [smallest.unit], `${smallest.size?.toFixed(1)} pt`)
          : laid
            ? 'none'
            : '–'}
      </td>
    </tr>
  );
}

const smallestOf = (laid: readonly LaidFinding[] = []): LaidFinding | undefined =>
  laid
    .filter(({ size }) => size !== undefined)
    .reduce<LaidFinding | undefined>((a, b) => (a && (a.size ?? 0) <= (b.size ?? 0) ? a : b), undefined);

function Count({ what, first, shown }: { what: string; first: string | undefined; shown: ReactNode }) {
  if (first === undefined) return shown;
  return (
    <Link to={first} aria-label={`${what}, ${shown}`}>
      {shown}
    </Link>
  );
}
