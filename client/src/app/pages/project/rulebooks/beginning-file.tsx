import { FileText } from 'lucide-react';
import { useRef, useState } from 'react';
import { isolated } from '../../../../core/text/names.ts';
import { type Beginning, readTextFile } from '../../../../data/rulebooks/beginning.ts';
import { describeError } from '../../../../data/server/messages.ts';
import { Loading, Problem } from '../../../../ui/page/page.tsx';
import { FilePick } from '../import/file-pick.tsx';
import { Losses } from '../import/losses.tsx';

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

/** Chooses a file with a text, and says what is in it. */
export function BeginningFile({
  label,
  accept,
  kind,
  onRead,
}: {
  /** Name of the field for screen readers. */
  label: string;
  accept: string;
  /** Kind of file, after “a file of”. */
  kind: string;
  /** Called with what was read, and with nothing while there is none. */
  onRead: (read: Beginning | undefined) => void;
}) {
  const [read, setRead] = useState<Beginning>();
  const [reading, setReading] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const asked = useRef(0);
  const choose = (file: File) => {
    const ask = ++asked.current;
    const show = (next: Beginning | undefined, why?: string) => {
      // Another file was chosen meanwhile.
      if (ask !== asked.current) return;
      setReading(undefined);
      setRead(next);
      setFailure(why);
      onRead(next);
    };
    show(undefined);
    setReading(file.name);
    readTextFile(file).then(
      (next) =>
        next.blocks.length > 0
          ? show(next)
          : show(undefined, `${isolated(file.name)} has no text that a rulebook could begin with.`),
      (reason: unknown) => show(undefined, `${isolated(file.name)} cannot be read. ${describeError(reason)}`),
    );
  };
  return (
    <>
      {failure && <Problem title={failure} />}
      <FilePick label={label} accept={accept} icon={<FileText size={22} aria-hidden />} onFile={choose}>
        {reading !== undefined ? (
          `Reading ${reading}…`
        ) : read ? (
          [
            `${read.from}: ${counted(read.blocks.length, 'block')}`,
            ...(read.pictures.length > 0 ? [counted(read.pictures.length, 'picture')] : []),
          ].join(', ')
        ) : (
          <>
            <b>Choose</b> {kind}
          </>
        )}
      </FilePick>
      {reading !== undefined && <Loading label={`Reading ${reading}`} />}
      {read && <Losses of={read.from} losses={read.losses} />}
    </>
  );
}
