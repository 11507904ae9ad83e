import { Button, type ButtonProps } from '@mantine/core';
import { Dices } from 'lucide-react';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { joinProblem } from '../../../../data/play/admission.ts';
import { openSampleTable } from '../../../../data/play/samples.ts';
import { useFlagOnce } from '../../../../data/site/site.ts';
import { Problem } from '../../../../ui/page/page.tsx';
import { useSubmit } from '../../../shell/use-submit.ts';
import css from './sample-table.module.css';

/** Opens a table of the sample game and goes there. Nothing where an admin has switched them off. */
export function OpenSample({ children, ...look }: ButtonProps & { children: ReactNode }) {
  const navigate = useNavigate();
  const on = useFlagOnce('sampleTable');
  const { busy, failure, submit } = useSubmit(async () => {
    await navigate(`/playtesting/sample/${await openSampleTable()}`);
  }, joinProblem);
  if (!on) return null;
  return (
    <form className={css.open} onSubmit={submit}>
      <Button type="submit" leftSection={<Dices size={18} aria-hidden />} loading={busy} {...look}>
        {children}
      </Button>
      {failure && <Problem title={failure} />}
    </form>
  );
}
