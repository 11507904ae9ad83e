import { Link } from 'react-router';
import { sourcesShown } from '../../../core/translation/cards/sources-shown.ts';
import { languageName } from '../../../core/translation/languages.ts';
import { stateCounts } from '../../../core/translation/translation.ts';
import type { CardLanguage } from '../../../data/translations/card-language.ts';
import css from './languages.module.css';

/** Every language with the state of its texts; a click leads to them. */
export function LanguageTable({ all }: { all: readonly CardLanguage[] }) {
  return (
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
          </tr>
        </thead>
        <tbody>
          {all.map((one) => (
            <Row key={one.language} one={one} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ one: { language, units } }: { one: CardLanguage }) {
  const { done, missing, stale } = stateCounts(units);
  const lost = units.filter(({ fault }) => fault !== undefined).length;
  const same = units.filter(({ unit, text }) => text === unit.source).length;
  return (
    <tr>
      <th scope="row">
        <Link to={`?language=${language}`}>{languageName(language)}</Link> <span>{language}</span>
      </th>
      <td>
        {done} of {units.length}
      </td>
      <td>{missing}</td>
      <td data-warn={stale > 0}>{stale}</td>
      <td data-bad={lost > 0}>{lost}</td>
      <td>{same}</td>
      <td>{sourcesShown(units).cards.length}</td>
    </tr>
  );
}
