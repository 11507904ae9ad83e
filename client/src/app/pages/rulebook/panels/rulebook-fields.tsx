import { NativeSelect, TextInput } from '@mantine/core';
import { LIMITS } from '../../../../core/book/document/limits.ts';
import { PAGE_FORMATS } from '../../../../core/book/paging/formats.ts';
import { HOUSE_STYLES } from '../../../../core/book/typesetting/house-style.ts';
import { HYPHENATION_LANGUAGES } from '../../../../core/text/hyphenation/hyphenation.ts';
import type { RulebookFields as Fields } from '../../../../data/rulebooks/rulebooks.ts';
import css from '../rulebook.module.css';

const inMm = (value: number): string => `${Math.round(value)}`;

/** Fields of a rulebook beside its text. */
export function RulebookFields({
  value,
  onChange,
}: {
  value: Fields;
  onChange: (change: Partial<Fields>) => void;
}) {
  const languages = HYPHENATION_LANGUAGES.map(({ id, name }) => ({ value: id, label: name }));
  const known = languages.some((one) => one.value === value.language);
  return (
    <div className={css.settings}>
      <TextInput
        label="Title"
        required
        data-autofocus
        maxLength={LIMITS.title}
        value={value.title}
        onChange={(event) => onChange({ title: event.currentTarget.value })}
      />
      <TextInput
        label="Subtitle"
        maxLength={LIMITS.subtitle}
        value={value.subtitle}
        onChange={(event) => onChange({ subtitle: event.currentTarget.value })}
      />
      <NativeSelect
        label="Page"
        value={value.format || PAGE_FORMATS[0].id}
        data={PAGE_FORMATS.map(({ id, name, w, h }) => ({
          value: id,
          label: `${name}, ${inMm(w)} × ${inMm(h)} mm`,
        }))}
        onChange={(event) => onChange({ format: event.currentTarget.value })}
      />
      <NativeSelect
        label="House style"
        value={value.style || HOUSE_STYLES[0].id}
        data={HOUSE_STYLES.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(event) => onChange({ style: event.currentTarget.value })}
      />
      <NativeSelect
        label="Language"
        description="Words are hyphenated by its rules."
        value={value.language}
        data={known ? languages : [{ value: value.language, label: value.language }, ...languages]}
        onChange={(event) => onChange({ language: event.currentTarget.value })}
      />
    </div>
  );
}
