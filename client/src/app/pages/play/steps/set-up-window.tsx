import { Button } from '@mantine/core';
import { Camera } from 'lucide-react';
import { useState } from 'react';
import { stepsFault } from '../../../../core/play/protocol/buttons.ts';
import { MAX_STEPS } from '../../../../core/play/protocol/limits.ts';
import { isTooLong, type LiesHere, liesHere } from '../../../../core/play/set-up/lie-here.ts';
import { Popup, PopupActions } from '../../../../ui/popups/popup.tsx';
import { leads, type PlayContext } from '../commands/play-context.ts';
import css from './buttons.module.css';
import { StepsEditor } from './steps-editor.tsx';
import { useSteps } from './use-steps.ts';

interface SetUpProps {
  readonly context: PlayContext;
  readonly onClose: () => void;
}

/** The steps that lay out the table: whoever may change it reads, changes and does them. */
export function SetUpWindow(props: SetUpProps) {
  return (
    <Popup open onClose={props.onClose} title="Set-up of this table" width={680}>
      <SetUpForm {...props} />
    </Popup>
  );
}

function SetUpForm({ context, onClose }: SetUpProps) {
  const { view } = context;
  const { steps, setSteps, editor } = useSteps(view, view.setup?.steps);
  const [recorded, setRecorded] = useState<LiesHere>();
  const [busy, setBusy] = useState(false);
  const fault = stepsFault(steps);
  const record = () => {
    const found = liesHere(view, view.sets ?? []);
    setRecorded(found);
    if (!isTooLong(found)) setSteps(found.steps);
  };
  const keep = async (anew: boolean) => {
    setBusy(true);
    const { ok } = await context.act({ verb: 'edit', edit: { setup: { button: { steps } } } });
    const done = ok && (!anew || (await context.act({ verb: 'restore', to: 'setup' })).ok);
    setBusy(false);
    if (done) onClose();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const { submitter } = event.nativeEvent as SubmitEvent;
        if (fault === undefined) void keep(submitter?.dataset['anew'] !== undefined);
      }}
    >
      <p className={css.lead}>
        “Set up anew” puts everything back into the box and then does these steps, all in one act, which can
        be taken back.
      </p>
      <Button
        variant="default"
        leftSection={<Camera size={16} aria-hidden />}
        disabled={view.table.ended}
        onClick={record}
      >
        Use what lies here now
      </Button>
      {recorded && <Recorded found={recorded} />}
      <StepsEditor inWords {...editor} fault={fault} />
      <PopupActions>
        <Button variant="subtle" color="gray" onClick={onClose}>
          Close
        </Button>
        <Button
          type="submit"
          variant="default"
          data-anew
          disabled={busy || fault !== undefined || !leads(context)}
          title={leads(context) ? '' : 'Only hosts start again.'}
        >
          Keep and set up anew
        </Button>
        <Button type="submit" loading={busy} disabled={fault !== undefined}>
          Keep
        </Button>
      </PopupActions>
    </form>
  );
}

/** Result of taking down how the table lies. */
function Recorded({ found }: { found: LiesHere }) {
  const { steps, left } = found;
  if (isTooLong(found)) {
    return (
      <p className={css.fault} role="alert">
        That would take {steps.length} steps; a set-up has {MAX_STEPS} at most. Gather loose pieces in piles
        or areas first.
      </p>
    );
  }
  return (
    <div role="status">
      <p className={css.fault}>
        These steps lay out what lies here now. Hidden pieces are not named: they come by chance, shuffled.
        Keep them, or close the window to leave the set-up as it was.
        {left.length > 0 && ' They leave out:'}
      </p>
      {left.length > 0 && (
        <ul className={css.left}>
          {left.map((one) => (
            <li key={one}>{one}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
