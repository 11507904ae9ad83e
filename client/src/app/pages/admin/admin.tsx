import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { useUser } from '../../../data/account/session.ts';
import { Page } from '../../../ui/page/page.tsx';
import css from './admin.module.css';
import { BackupLine } from './backup.tsx';
import { NotAdmin } from './first-admin.tsx';
import { Log } from './log.tsx';
import { People } from './people.tsx';
import { Site } from './site.tsx';
import { UsageFigures } from './usage.tsx';

const PARTS = { people: People, usage: UsageFigures, site: Site, log: Log } as const;
type Part = keyof typeof PARTS;
const TITLES: Readonly<Record<Part, string>> = {
  people: 'People',
  usage: 'Usage',
  site: 'Announcements and switches',
  log: 'Log',
};

/** `/admin-control-panel`. Whoever has not the claim sees how it is had; the server refuses them anyway. */
export function Component() {
  const { admin, email } = useUser();
  const [part, setPart] = useState<Part>('people');
  const Shown = PARTS[part];
  if (!admin) {
    return (
      <Page title="Admin" lead="People, usage, announcements and switches of this server.">
        <NotAdmin email={email} />
      </Page>
    );
  }
  return (
    <Page title="Admin" lead="Every action is checked by the server and written to the log.">
      <BackupLine />
      <div className={css.tabs}>
        <SegmentedControl
          aria-label="Part"
          value={part}
          onChange={(next) => setPart(next as Part)}
          data={(Object.keys(PARTS) as Part[]).map((value) => ({ value, label: TITLES[value] }))}
        />
      </div>
      <section aria-label={TITLES[part]}>
        <Shown />
      </section>
    </Page>
  );
}
