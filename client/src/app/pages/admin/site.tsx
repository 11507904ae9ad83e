import { Button, Checkbox, SegmentedControl, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { type Notice, setFlag, setNotice } from '../../../data/admin/admin-calls.ts';
import { FLAGS, type Flag, isOn, useSite } from '../../../data/site/site.ts';
import { toasts } from '../../../ui/toasts/engine.ts';
import { tellFailure } from '../../shell/tell-failure.ts';
import css from './admin.module.css';

/** Longest note to everybody. */
const MAX_NOTICE_LENGTH = 300;

async function run(work: () => Promise<unknown>, done: string): Promise<void> {
  try {
    await work();
    toasts.show(done, { type: 'success' });
  } catch (error) {
    tellFailure(error);
  }
}

/** A note to everybody, and what is on and off. */
export function Site() {
  const site = useSite(true);
  const [text, setText] = useState(site.notice.text);
  const [level, setLevel] = useState<Notice['level']>(site.notice.level);
  useEffect(() => {
    setText(site.notice.text);
    setLevel(site.notice.level);
  }, [site.notice]);
  return (
    <div className={css.site}>
      <form
        className={css.stack}
        onSubmit={(event) => {
          event.preventDefault();
          void run(
            () => setNotice({ text: text.trim(), level }),
            text.trim() ? 'Shown to everybody.' : 'Taken down.',
          );
        }}
      >
        <h2>Announcement</h2>
        <TextInput
          label="One line at the top of every page, for signed-in users"
          placeholder="The server is down on Sunday from 8 to 9."
          value={text}
          maxLength={MAX_NOTICE_LENGTH}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <SegmentedControl
          aria-label="Kind of announcement"
          value={level}
          onChange={(next) => setLevel(next as Notice['level'])}
          data={[
            { value: 'info', label: 'For information' },
            { value: 'warning', label: 'Warning' },
          ]}
        />
        <div>
          <Button type="submit" disabled={!text.trim() && !site.notice.text}>
            {text.trim() || !site.notice.text ? 'Show it' : 'Take it down'}
          </Button>
        </div>
      </form>
      <div className={css.stack}>
        <h2>Switches</h2>
        {(Object.keys(FLAGS) as Flag[]).map((flag) => (
          <Checkbox
            key={flag}
            label={FLAGS[flag]}
            checked={isOn(site, flag)}
            onChange={(event) => {
              const on = event.currentTarget.checked;
              void run(() => setFlag({ flag, on }), on ? 'Switched on.' : 'Switched off.');
            }}
          />
        ))}
      </div>
    </div>
  );
}
