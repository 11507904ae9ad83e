import { Checkbox, NativeSelect, NumberInput, Textarea, TextInput } from '@mantine/core';
import { FileDrop } from '../../import/file-drop.tsx';
import { FilePick } from '../../import/file-pick.tsx';
import dialogs from '../dialogs/dialogs.module.css';

/** Source of an import. */
export type ImportKind = 'file' | 'paste' | 'address';

/** Entries of the form. */
export interface SourceChoice {
  readonly pasted: string;
  readonly address: string;
  /** Empty finds it out. */
  readonly delimiter: string;
  /** Minutes between two looks at the address; 0 looks when asked. */
  readonly every: number;
  /** Keep the address, to look again later. */
  readonly follow: boolean;
}

export const FIRST_CHOICE: SourceChoice = {
  pasted: '',
  address: '',
  delimiter: '',
  every: 0,
  follow: true,
};

/** Chooses the rows of an import: a file, pasted text or an address. */
export function ChooseSource({
  kind,
  choice: { pasted, address, delimiter, every, follow },
  onChange,
  onFile,
}: {
  kind: ImportKind;
  choice: SourceChoice;
  onChange: (change: Partial<SourceChoice>) => void;
  onFile: (file: File) => void;
}) {
  return (
    <div className={dialogs.form}>
      {kind === 'file' && (
        <FileDrop onFile={onFile}>
          <FilePick label="File to import" onFile={onFile}>
            <b>Choose a file</b> or drop one here: CSV, Excel or JSON
          </FilePick>
        </FileDrop>
      )}
      {kind === 'paste' && (
        <Textarea
          label="Rows, the first with the columns’ names"
          autosize
          minRows={6}
          maxRows={14}
          data-autofocus
          value={pasted}
          onChange={(event) => onChange({ pasted: event.currentTarget.value })}
        />
      )}
      {kind === 'address' && (
        <>
          <TextInput
            label="Address"
            description="A Google Sheet’s link or its published CSV, or any CSV, Excel or JSON file this server may fetch"
            placeholder="https://docs.google.com/spreadsheets/d/…"
            value={address}
            onChange={(event) => onChange({ address: event.currentTarget.value })}
          />
          <Checkbox
            label="Remember it, to look again later"
            checked={follow}
            onChange={(event) => onChange({ follow: event.currentTarget.checked })}
          />
          <NumberInput
            label="Look again every so many minutes while the table is open (0 is only when asked)"
            disabled={!follow}
            value={every}
            min={0}
            max={1440}
            allowDecimal={false}
            onChange={(value) => onChange({ every: Number(value) || 0 })}
          />
        </>
      )}
      <NativeSelect
        label="Cells are separated by"
        value={delimiter}
        data={[
          { value: '', label: 'Find out' },
          { value: ',', label: 'Commas' },
          { value: ';', label: 'Semicolons' },
          { value: '\t', label: 'Tabs' },
          { value: '|', label: 'Bars' },
          { value: ':', label: 'Colons' },
          { value: '~', label: 'Tildes' },
          { value: '^', label: 'Carets' },
        ]}
        onChange={(event) => onChange({ delimiter: event.currentTarget.value })}
      />
    </div>
  );
}
