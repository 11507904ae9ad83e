import text from '../../../../../CHANGELOG.md';
import { day } from '../../../ui/dates.ts';
import { Page } from '../../../ui/page/page.tsx';
import { parseInline } from '../../prose/parse.ts';
import { Line } from '../../prose/prose.tsx';
import { parseChangelog } from './changelog.ts';
import css from './updates.module.css';

const RELEASES = parseChangelog(text);

/** `/Updates`: what is new. */
export function Component() {
  return (
    <Page title="Updates" lead={`What is new. You are using version ${__APP_VERSION__}.`}>
      <ol className={css.releases}>
        {RELEASES.map(({ version, date, title, changes }) => (
          <li key={version} className={css.release}>
            <div className={css.when}>
              <strong>{version}</strong>
              {date && <time dateTime={date}>{day(date)}</time>}
            </div>
            <div>
              <h2>{title || 'What the next release brings'}</h2>
              <ul>
                {changes.map((change) => (
                  <li key={change}>
                    <Line content={parseInline(change)} />
                  </li>
                ))}
              </ul>
            </div>
          </li>
        ))}
      </ol>
    </Page>
  );
}
