import { FileSpreadsheet } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { ACCEPTED_FILES } from '../../../../data/import/read-file.ts';
import css from '../project.module.css';

/** A large field that chooses a file: a list of cards, unless other kinds are named. */
export function FilePick({
  label,
  accept = ACCEPTED_FILES,
  icon = <FileSpreadsheet size={22} aria-hidden />,
  onFile,
  children,
}: {
  /** Name of the field for screen readers. */
  label: string;
  /** Kinds of files that are offered: tables, unless others are named. */
  accept?: string;
  /** Of a table, unless another is given. */
  icon?: ReactNode;
  onFile: (file: File) => void;
  /** Words in the field. */
  children: ReactNode;
}) {
  const input = useId();
  return (
    <label className={css.pick} htmlFor={input}>
      {icon}
      <span>{children}</span>
      <input
        id={input}
        type="file"
        aria-label={label}
        accept={accept}
        onChange={(event) => {
          const chosen = event.currentTarget.files?.[0];
          if (chosen) onFile(chosen);
          // The same file, mended, may be chosen again.
          event.currentTarget.value = '';
        }}
      />
    </label>
  );
}
