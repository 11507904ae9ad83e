import { Button, Combobox, Input, InputBase, useCombobox } from '@mantine/core';
import { Settings2, Upload } from 'lucide-react';
import { useMemo, useState } from 'react';
import { type LayoutFont, layoutFontSchema } from '../../core/scene/style/layout-font.ts';
import { type FontFamily, findFamily } from '../../core/text/fonts/catalogue.ts';
import { useSession } from '../../data/account/session.ts';
import { customFamilies, customFonts } from '../../data/fonts/custom-fonts.ts';
import { useFontLibrary, useFontPack } from '../../data/fonts/font-library.ts';
import { useProjectFonts } from '../../data/project/queries.ts';
import { useUserObject } from '../../data/user-object/use-user-object.ts';
import { useProjectPlace } from '../images/project-place.ts';
import { CustomFonts } from './custom-fonts.tsx';
import { CATEGORY_LABELS, type Category, familyGroups } from './families.ts';
import css from './font-field.module.css';
import { FontName } from './font-name.tsx';
import { ProjectFonts } from './project-fonts.tsx';
import { useAddFonts } from './use-add-fonts.ts';

/** Groups that can be shown alone, beside one's own. */
const FILTERS: readonly Category[] = ['serif', 'sans-serif', 'display', 'handwriting', 'monospace'];

const NO_FONTS: readonly LayoutFont[] = [];
const NO_FAMILIES: readonly FontFamily[] = [];

/** A font family, chosen by its look; fonts of one's own are brought in here. */
export function FontField({
  label,
  value,
  mixed = false,
  fonts,
  onChange,
}: {
  label: string;
  /** Id of the family. */
  value: string;
  /** The value stands for several that differ. */
  mixed?: boolean;
  /** The files the layout names. */
  fonts: readonly LayoutFont[];
  /** @param files the files of a family of one's own, for the layout to name */
  onChange: (family: string, files: readonly LayoutFont[]) => void;
}) {
  const uid = useSession()?.uid;
  const { userObject } = useUserObject();
  const { data: library, error, refetch } = useFontLibrary();
  const [query, setQuery] = useState('');
  const [only, setOnly] = useState<Category | null>(null);
  const [managing, setManaging] = useState(false);
  const mine = useMemo(() => customFonts(userObject.userFonts, uid ?? ''), [userObject.userFonts, uid]);
  const place = useProjectPlace();
  const { data: ofProject } = useProjectFonts(place?.project);
  const here = ofProject?.items ?? NO_FONTS;
  const own = useMemo(
    () => customFamilies([...mine, ...foreign(byCut([...here, ...fonts]), mine)]),
    [mine, fonts, here],
  );
  const add = useAddFonts();
  const combobox = useCombobox({
    onDropdownOpen: () => combobox.focusSearchInput(),
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      setQuery('');
      setManaging(false);
      add.forget();
    },
  });
  // Without a name the chosen family may be one of them.
  const unknown = library !== undefined && !own.some(({ id }) => id === value) && !findFamily(value);
  const { data: pack } = useFontPack(combobox.dropdownOpened || (unknown && !mixed));
  const listed = useMemo(() => [...(library ?? NO_FAMILIES), ...(pack ?? NO_FAMILIES)], [library, pack]);
  const groups = useMemo(() => familyGroups(own, listed, query, only), [own, listed, query, only]);
  const current = mixed ? undefined : (own.find(({ id }) => id === value) ?? findFamily(value));
  const choose = (family: string, added: readonly LayoutFont[] = []) => {
    const files = [...here, ...fonts, ...mine, ...added].filter((font) => font.family === family);
    onChange(family, byCut(files));
    combobox.closeDropdown();
    combobox.focusTarget();
  };
  return (
    <Combobox
      store={combobox}
      width={320}
      position="left-start"
      onOptionSubmit={(family) => choose(family)}
      resetSelectionOnOptionHover
    >
      <Combobox.Target targetType="button" withAriaAttributes>
        <InputBase
          component="button"
          type="button"
          size="xs"
          pointer
          label={label}
          rightSection={<Combobox.Chevron />}
          rightSectionPointerEvents="none"
          onClick={() => combobox.toggleDropdown()}
        >
          {current ? (
            <FontName family={current} />
          ) : (
            <Input.Placeholder>{mixed ? 'Mixed' : `${value}, not here`}</Input.Placeholder>
          )}
        </InputBase>
      </Combobox.Target>
      <Combobox.Dropdown className={css.dropdown}>
        <div role="dialog" aria-label="Fonts" className={css.sheet}>
          {managing ? (
            <>
              <CustomFonts fonts={mine} onBack={() => setManaging(false)} />
              {place && <ProjectFonts place={place} />}
            </>
          ) : (
            <>
              <Combobox.Search
                aria-label="Search fonts"
                placeholder={`Search ${count(own, listed)} fonts`}
                value={query}
                onChange={(event) => {
                  setQuery(event.currentTarget.value);
                  combobox.updateSelectedOptionIndex();
                }}
              />
              <fieldset className={css.filters} aria-label="Kind of font">
                {FILTERS.map((category) => (
                  <button
                    key={category}
                    type="button"
                    aria-pressed={only === category}
                    onClick={() => setOnly(only === category ? null : category)}
                  >
                    {CATEGORY_LABELS[category]}
                  </button>
                ))}
              </fieldset>
              <Combobox.Options className={css.options} aria-label="Fonts" tabIndex={0}>
                {groups.map(({ category, families }) => (
                  <Combobox.Group key={category} label={CATEGORY_LABELS[category]}>
                    {families.map((family) => (
                      <Combobox.Option
                        key={family.id}
                        value={family.id}
                        active={family.id === value}
                        className={css.option}
                      >
                        <FontName family={family} />
                      </Combobox.Option>
                    ))}
                  </Combobox.Group>
                ))}
                {groups.length === 0 && <Combobox.Empty>No font is called “{query}”.</Combobox.Empty>}
              </Combobox.Options>
              {error && (
                <p className={css.problem} role="alert">
                  The large list could not be loaded.{' '}
                  <button type="button" onClick={() => void refetch()}>
                    Try again
                  </button>
                </p>
              )}
              {add.messages.map((message) => (
                <p key={message.text} className={css.problem} data-kind={message.kind} role="alert">
                  {message.text}
                </p>
              ))}
              {current?.copyright && (
                <p className={css.credit} title={current.copyright}>
                  {current.name}: {current.licence}. {current.copyright}
                </p>
              )}
              {uid !== undefined && (
                <Combobox.Footer className={css.foot}>
                  <Button
                    size="compact-xs"
                    variant="default"
                    leftSection={<Upload size={13} aria-hidden />}
                    loading={add.busy}
                    onClick={() => void add.pick((added) => choose(added.at(-1)?.family ?? value, added))}
                  >
                    Bring a font
                  </Button>
                  {mine.length + here.length > 0 && (
                    <Button
                      size="compact-xs"
                      variant="subtle"
                      leftSection={<Settings2 size={13} aria-hidden />}
                      onClick={() => setManaging(true)}
                    >
                      {here.length > 0 ? 'Manage fonts' : 'Your fonts'}
                    </Button>
                  )}
                </Combobox.Footer>
              )}
            </>
          )}
        </div>
      </Combobox.Dropdown>
    </Combobox>
  );
}

/** Of files of one cut the last counts, which is the newest. */
function byCut(files: readonly LayoutFont[]): LayoutFont[] {
  const cuts = files.map((file) => {
    const font = layoutFontSchema.parse(file);
    return [`${font.family} ${font.weight} ${font.italic}`, font] as const;
  });
  return [...new Map(cuts).values()];
}

/** Files of the layout or its project that are not among one's own: somebody else's, or removed since. */
function foreign(fonts: readonly LayoutFont[], mine: readonly LayoutFont[]): LayoutFont[] {
  const known = new Set(mine.map(({ family }) => family));
  return fonts.filter(({ family }) => !known.has(family));
}

function count(own: readonly FontFamily[], listed: readonly FontFamily[]): number {
  return familyGroups(own, listed, '').reduce((sum, { families }) => sum + families.length, 0);
}
