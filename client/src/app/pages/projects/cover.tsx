import { getDoc, getDocs, limit, orderBy, query } from '@sdk/firestore';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { LibraryImage } from '../../../core/images/library.ts';
import type { Layout } from '../../../core/scene/layout.ts';
import {
  type Component,
  cardSchema,
  componentSchema,
  layoutDocumentSchema,
  readDocument,
  type WithId,
} from '../../../data/documents/documents.ts';
import { asCover, showOnCover } from '../../../data/images/cover-images.ts';
import { openProject } from '../../../data/project/open-project.ts';
import type { ListedProject } from '../../../data/project/queries.ts';
import { computedCards } from '../../../data/table/formula/formula.ts';
import { OwnLanguageContext } from '../../painting/own-language.ts';
import { PaintedCard } from '../../painting/painted-card.tsx';
import css from './projects.module.css';

/** Components searched for one with a layout. */
const MAX_COMPONENTS = 10;
/** Time for which a cover is cached, in milliseconds. */
const FRESH_MS = 60_000;
const WIDTH_PX = 104;

interface FirstCard {
  readonly component: WithId<Component>;
  readonly cells: Readonly<Record<string, string>>;
  readonly layout: Layout;
  /** Images of the project. */
  readonly shared: readonly LibraryImage[];
}

async function readFirstCard(listed: ListedProject): Promise<FirstCard | null> {
  const project = openProject(listed);
  const components = await getDocs(query(project.components, orderBy('order'), limit(MAX_COMPONENTS)));
  for (const found of components.docs) {
    const component = { ...readDocument(componentSchema, found.ref.path, found.data()), id: found.id };
    if (!component.layoutId) continue;
    const [cards, layout] = await Promise.all([
      getDocs(query(project.cards(component.id), orderBy('order'), limit(1))),
      getDoc(project.layout(component.layoutId)),
    ]);
    const [first] = cards.docs;
    if (!first || !layout.exists()) continue;
    const stored = { ...readDocument(cardSchema, first.ref.path, first.data()), id: first.id };
    const [card = stored] = computedCards([stored], component);
    const { scene } = readDocument(layoutDocumentSchema, layout.ref.path, layout.data());
    return { component, ...(await asCover(project, scene, card.cells, component.columns)) };
  }
  return null;
}

/** True once an element has come near the viewport. */
function useSeen(): [React.RefObject<HTMLSpanElement | null>, boolean] {
  const ref = useRef<HTMLSpanElement>(null);
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    const element = ref.current;
    if (!element || seen) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setSeen(true), {
      rootMargin: '200px',
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [seen]);
  return [ref, seen];
}

/** A project's first card, once it comes into view; nothing while there is none. */
export function CardCover({ project }: { project: ListedProject }) {
  const [ref, seen] = useSeen();
  const { data } = useQuery({
    queryKey: ['cover', project.owner, project.id, project.updatedAt],
    queryFn: () => readFirstCard(project),
    enabled: seen,
    staleTime: FRESH_MS,
    // Without its card a cover is still a cover.
    retry: false,
  });
  const shared = data?.shared;
  useEffect(() => (shared ? showOnCover(project.id, shared) : undefined), [project.id, shared]);
  return (
    <span ref={ref} className={css.firstCard} aria-hidden>
      {data && (
        <OwnLanguageContext.Provider value={project.language}>
          <PaintedCard
            layout={data.layout}
            cells={data.cells}
            columns={data.component.columns}
            width={Math.round(WIDTH_PX * Math.min(1, data.layout.size.w / data.layout.size.h / 0.714))}
            label=""
          />
        </OwnLanguageContext.Provider>
      )}
    </span>
  );
}
