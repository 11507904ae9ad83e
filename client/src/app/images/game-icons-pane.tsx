import { Button, ColorInput, TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import {
  type GameIcon,
  gameIcons,
  ICON_UNITS,
  iconOutline,
  iconSvg,
  searchIcons,
} from '../../data/images/game-icons.ts';
import type { ImagePlace } from '../../data/images/library-location.ts';
import { uploads } from '../../data/images/upload/uploads.ts';
import { describeError } from '../../data/server/messages.ts';
import { Loading, Problem } from '../../ui/page/page.tsx';
import css from './picker.module.css';

/** Icons shown at once; more come on request. */
const PAGE = 120;
/** Folder of the library that icons go into. */
const ICON_FOLDER = 'Icons';

/** Outlines as they come, by place in the library. */
function useOutlines(icons: readonly GameIcon[]): ReadonlyMap<number, string> {
  const [known, setKnown] = useState<ReadonlyMap<number, string>>(new Map());
  useEffect(() => {
    let stale = false;
    const arrived = new Map<number, string>();
    // A file brings many outlines at once: they show together.
    const show = () => {
      if (stale || arrived.size === 0) return;
      const more = [...arrived];
      arrived.clear();
      setKnown((old) => new Map([...old, ...more]));
    };
    for (const icon of icons) {
      iconOutline(icon).then(
        (outline) => {
          arrived.set(icon.index, outline);
          queueMicrotask(show);
        },
        () => {
          // An icon without a picture still has its name; opening the pane again tries again.
        },
      );
    }
    return () => {
      stale = true;
    };
  }, [icons]);
  return known;
}

/** Makes an image of an icon; answers its id. */
export async function addIcon(
  shelf: ImagePlace,
  icon: GameIcon,
  color: string,
  ground: string | null,
): Promise<string> {
  const blob = iconSvg(await iconOutline(icon), color, ground);
  const [id = ''] = await uploads().add(
    shelf,
    [
      {
        path: `${ICON_FOLDER}/${icon.name}.svg`,
        blob,
        details: {
          tags: ['icon'],
          licence: icon.licence,
          credit: `Icon “${icon.label}” by ${icon.author}, game-icons.net`,
          icon: { name: icon.name, color, ground },
        },
      },
    ],
    'keep-both',
  );
  const item = await uploads().over(id);
  if (item.image === undefined) throw new Error(item.message ?? 'The icon could not be stored.');
  return item.image;
}

/** The icon library: search, colours, and one icon to take as an image. */
export function GameIconsPane({ onAdded }: { onAdded: (image: string) => void }) {
  const [icons, setIcons] = useState<readonly GameIcon[]>();
  const [failure, setFailure] = useState<string>();
  const [text, setText] = useState('');
  const [pages, setPages] = useState(1);
  const [chosen, setChosen] = useState<GameIcon>();
  const [color, setColor] = useState('#000000');
  const [ground, setGround] = useState('');
  const [busy, setBusy] = useState(false);
  const words = useDeferredValue(text);
  useEffect(() => {
    gameIcons().then(setIcons, (error: unknown) => setFailure(describeError(error)));
  }, []);
  const found = useMemo(() => (icons ? searchIcons(icons, words) : []), [icons, words]);
  const shown = useMemo(() => found.slice(0, pages * PAGE), [found, pages]);
  const outlines = useOutlines(shown);
  const take = async (icon: GameIcon) => {
    setBusy(true);
    setFailure(undefined);
    try {
      onAdded(await addIcon('image', icon, color, ground === '' ? null : ground));
    } catch (error) {
      setFailure(describeError(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className={css.pane}>
      {failure && <Problem title={failure} />}
      <search className={css.bar}>
        <TextInput
          size="sm"
          label="Search icons"
          placeholder="Such as sword, potion, wolf"
          leftSection={<Search size={15} aria-hidden />}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setPages(1);
          }}
        />
        <ColorInput size="sm" label="Icon colour" withEyeDropper={false} value={color} onChange={setColor} />
        <ColorInput
          size="sm"
          label="Behind it"
          placeholder="Transparent"
          withEyeDropper={false}
          value={ground}
          onChange={setGround}
        />
      </search>
      {!icons && !failure && <Loading label="Loading icons" />}
      {icons && (
        <>
          <p className={css.count} role="status">
            {found.length.toLocaleString('en')} {found.length === 1 ? 'icon' : 'icons'}
          </p>
          <div className={css.scroll}>
            <ul className={css.icons}>
              {shown.map((icon) => (
                <li key={icon.name}>
                  <button
                    type="button"
                    aria-pressed={chosen?.name === icon.name}
                    title={`${icon.label}, by ${icon.author}`}
                    onClick={() => setChosen(icon)}
                    onDoubleClick={() => void take(icon)}
                  >
                    <svg viewBox={`0 0 ${ICON_UNITS} ${ICON_UNITS}`} aria-hidden="true">
                      <path d={outlines.get(icon.index) ?? ''} fill="currentColor" />
                    </svg>
                    <span>{icon.label}</span>
                  </button>
                </li>
              ))}
            </ul>
            {found.length > shown.length && (
              <Button size="xs" variant="default" onClick={() => setPages((count) => count + 1)}>
                Show more
              </Button>
            )}
          </div>
        </>
      )}
      <footer className={css.foot}>
        <p>
          {chosen
            ? `${chosen.label}, by ${chosen.author} (${chosen.licence}). The project’s credits name it.`
            : 'Icons of game-icons.net. Their authors are named on the project’s credits.'}
        </p>
        <Button disabled={!chosen} loading={busy} onClick={() => chosen && void take(chosen)}>
          Use icon
        </Button>
      </footer>
    </div>
  );
}
