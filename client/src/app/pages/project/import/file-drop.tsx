import { type ReactNode, useState } from 'react';
import css from '../project.module.css';

/** An area that takes a dropped file. */
export function FileDrop({
  onFile,
  tutorial,
  children,
}: {
  onFile: (file: File) => void;
  /** Name of the element in tutorials. */
  tutorial?: string;
  children: ReactNode;
}) {
  const [over, setOver] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is an extra; a button does the same
    <div
      className={css.drop}
      data-over={over || undefined}
      data-tutorial={tutorial}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const file = event.dataTransfer.files[0];
        if (file) onFile(file);
      }}
    >
      {children}
    </div>
  );
}
