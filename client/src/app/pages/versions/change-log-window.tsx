import { Button, Textarea } from '@mantine/core';
import { Copy } from 'lucide-react';
import { useState } from 'react';
import { changeLog } from '../../../core/versions/change-log.ts';
import type { Difference } from '../../../core/versions/difference.ts';
import { copyText } from '../../../ui/copy/copy-link.ts';
import { Popup, PopupActions } from '../../../ui/popups/popup.tsx';
import css from './comparison.module.css';
import type { ComparisonStates } from './comparison-context.ts';

interface LogProps {
  readonly difference: Difference;
  readonly states: ComparisonStates;
  readonly onClose: () => void;
}

/** The changes as a text for players, to be edited and copied. */
export function ChangeLogWindow({ open, ...props }: LogProps & { open: boolean }) {
  return (
    <Popup open={open} onClose={props.onClose} title="Change log" width={760}>
      <Log {...props} />
    </Popup>
  );
}

function Log({ difference, states: { labels, texts }, onClose }: LogProps) {
  // Made once: the edited text stays although somebody goes on working.
  const [text, setText] = useState(() =>
    changeLog(`Changes from ${labels[0]} to ${labels[1]}`, difference, texts),
  );
  return (
    <div className={css.log}>
      <Textarea
        label="For players"
        description="Edit it as you like; it is not kept."
        autosize
        minRows={12}
        maxRows={24}
        value={text}
        data-autofocus
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <PopupActions>
        <Button variant="subtle" color="gray" onClick={onClose}>
          Close
        </Button>
        <Button
          leftSection={<Copy size={16} aria-hidden />}
          onClick={() => void copyText(text, 'change log')}
        >
          Copy
        </Button>
      </PopupActions>
    </div>
  );
}
