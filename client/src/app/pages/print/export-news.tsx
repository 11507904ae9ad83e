import { Button } from '@mantine/core';
import { Sparkles } from 'lucide-react';
import { runsInBrowser } from '../../../data/server/database.ts';
import { useUserObject } from '../../../data/user-object/use-user-object.ts';
import css from './print.module.css';

/** News about exporting, shown on the page until read; the account remembers that. */
export function ExportNews() {
  const { userObject, ready, save } = useUserObject();
  // To a visitor everything is new.
  if (!ready || userObject.newExportAnnouncement || runsInBrowser()) return null;
  return (
    <section className={css.news} aria-label="New in Export">
      <Sparkles size={18} aria-hidden />
      <p>
        <strong>New in Export.</strong> Letters stay letters in a PDF, settings can be kept as presets, and
        <em> Virtual tables</em> updates the saves of games that are already on the table.
      </p>
      <Button size="xs" variant="default" onClick={() => void save({ newExportAnnouncement: true })}>
        Got it
      </Button>
    </section>
  );
}
