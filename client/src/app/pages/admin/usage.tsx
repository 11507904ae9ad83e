import { useEffect, useState } from 'react';
import { sizeWords } from '../../../data/account/plans.ts';
import { readUsage, type Usage } from '../../../data/admin/admin-calls.ts';
import { describeError } from '../../../data/server/messages.ts';
import { Loading, Placeholder, Problem } from '../../../ui/page/page.tsx';
import css from './admin.module.css';

const plain = (n: number) => n.toLocaleString();

const FIGURES: readonly (readonly [keyof Usage, string, (n: number) => string])[] = [
  ['accounts', 'Accounts', plain],
  ['projects', 'Projects', plain],
  ['components', 'Components', plain],
  ['cards', 'Cards', plain],
  ['layouts', 'Layouts', plain],
  ['files', 'Files', plain],
  ['fileBytes', 'Stored in files', sizeWords],
];

/** Numbers of accounts, projects and files. */
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
      {FIGURES.map(([key, label, words]) => (
        <div key={key}>
          <dt>{label}</dt>
          <dd>{words(usage[key])}</dd>
        </div>
      ))}
    </dl>
  );
}
