import { type KeyboardEvent, useEffect, useId, useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { Popup } from '../../ui/popups/popup.tsx';
import { listCollections } from '../documents/collections.ts';
import { listFunctions } from '../functions/function-list.ts';
import css from './go-to.module.css';
import { PAGES } from './pages.ts';

interface Place {
  readonly label: string;
  readonly kind: string;
  readonly to: string;
}

/** Most places shown. */
const MOST = 12;

/** Everything there is to go to, while the window is open. */
function usePlaces(open: boolean): readonly Place[] {
  const [found, setFound] = useState<readonly Place[]>([]);
  useEffect(() => {
    if (!open) return;
    let over = false;
    const collections = listCollections('(default)', '').then((ids) =>
      ids.map((id) => ({ label: id, kind: 'Collection', to: `/documents/${encodeURIComponent(id)}` })),
    );
    const functions = listFunctions().then((all) =>
      all.map(({ name }) => ({ label: name, kind: 'Function', to: `/functions/${name}` })),
    );
    void Promise.allSettled([collections, functions]).then((results) => {
      if (!over) setFound(results.flatMap((result) => (result.status === 'fulfilled' ? result.value : [])));
    });
    return () => {
      over = true;
    };
  }, [open]);
  return found;
}

function matching(typed: string, found: readonly Place[]): readonly Place[] {
  const pages = PAGES.map(({ label, to }) => ({ label, kind: 'Page', to }));
  const wanted = typed.trim().toLowerCase();
  const places = [...pages, ...found].filter(({ label }) => label.toLowerCase().includes(wanted));
  const path = typed.trim().replace(/^\/+|\/+$/g, '');
  if (path.includes('/')) {
    const to = `/documents/${path.split('/').map(encodeURIComponent).join('/')}`;
    return [
      { label: path, kind: path.split('/').length % 2 === 0 ? 'Document' : 'Collection', to },
      ...places,
    ];
  }
  return places;
}

/** A window to type where to go. */
export function GoTo({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const navigate = useNavigate();
  const id = useId();
  const found = usePlaces(open);
  const places = useMemo(() => matching(typed, found).slice(0, MOST), [typed, found]);
  useEffect(() => {
    if (open) setTyped('');
  }, [open]);
  const go = (place: Place | undefined) => {
    if (!place) return;
    onClose();
    void navigate(place.to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setAt((at + step + places.length) % Math.max(places.length, 1));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      go(places[at]);
    }
  };
  return (
    <Popup open={open} onClose={onClose} title="Go to" width={520}>
      <input
        className={css.field}
        // biome-ignore lint/a11y/noAutofocus: the window was opened to type here
        autoFocus
        role="combobox"
        aria-label="A page, a collection, a document's path or a function"
        aria-expanded
        aria-controls={id}
        aria-activedescendant={places[at] ? `${id}-${at}` : undefined}
        placeholder="A page, a collection, users/ann, a function"
        spellCheck={false}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div role="listbox" id={id} aria-label="Places" className={css.places}>
        {places.map((place, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
          <div
            key={`${place.kind} ${place.to}`}
            id={`${id}-${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === at}
            className={css.place}
            onClick={() => go(place)}
          >
            <span>{place.label}</span>
            <span>{place.kind}</span>
          </div>
        ))}
        {places.length === 0 && <p className={css.none}>Nothing is called that. A path has a slash.</p>}
      </div>
    </Popup>
  );
}
