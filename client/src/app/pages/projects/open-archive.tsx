import { Button } from '@mantine/core';
import { FolderArchive } from 'lucide-react';
import { useRef } from 'react';

/** Asks for a project's archive. */
export function OpenArchive({ onFile }: { onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button
        variant="default"
        leftSection={<FolderArchive size={17} aria-hidden />}
        onClick={() => input.current?.click()}
      >
        Open archive
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="Project archive"
        accept=".zip,application/zip"
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          // The same file, mended, may be chosen again.
          event.currentTarget.value = '';
          if (file) onFile(file);
        }}
      />
    </>
  );
}
