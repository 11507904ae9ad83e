import { useEffect, useState } from 'react';
import { readUsage, type Usage } from '../../../data/admin-calls.ts';
import { describeError } from '../../../data/messages.ts';
import { Loading, Placeholder, Problem } from '../../../ui/page.tsx';
import css from './admin.module.css';

const FIGURES: readonly (readonly [keyof Usage, string])[] = [
  ['accounts', 'Accounts'],
  ['projects', 'Projects'],
  ['components', 'Components'],
  ['cards', 'Cards'],
  ['layouts', 'Layouts'],
];

/** How much there is of everything. */
export function UsageFigures() {
  const [usage, setUsage] = useState<Usage>();
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    readUsage(null).then(setUsage, (error) => setFailure(describeError(error)));
  }, []);
  if (failure) return <Problem title={failure} />;
  if (!usage) {
    return (
      <>
        <Loading label="Counting" />
        <Placeholder height={120} radius={12} />
      </>
    );
  }
  return (
    <dl className={css.figures}>
      {FIGURES.map(([key, label]) => (
        <div key={key}>
          <dt>{label}</dt>
          <dd>{usage[key].toLocaleString()}</dd>
        </div>
      ))}
    </dl>
  );
}
