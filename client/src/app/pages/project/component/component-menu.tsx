import {
  ArrowLeft,
  ArrowRight,
  GalleryHorizontalEnd,
  ListTree,
  PanelsTopLeft,
  Pencil,
  Split,
  Trash2,
} from 'lucide-react';
import type { Component as CardsComponent, WithId } from '../../../../data/documents/documents.ts';
import type { Project } from '../../../../data/project/open-project.ts';
import type { MenuItem } from '../../../../ui/menu/menu.tsx';

/** Dialog of a component. */
export type ComponentDialog = 'details' | 'layouts' | 'delete';

/** Pages that know one's own projects alone. */
const pagesOfOwn = (project: Project, component: string): readonly MenuItem[] => [
  { label: 'All cards of the project', icon: <ListTree size={15} />, to: `/cardlist2?deck=${project.id}` },
  {
    label: 'Workspace',
    icon: <PanelsTopLeft size={15} />,
    to: `/workspace?deck=${project.id}&component=${component}`,
  },
];

/** Actions on a component as a whole. */
export function componentMenu(
  project: Project,
  component: WithId<CardsComponent>,
  /** All components of the project, in their order. */
  all: readonly WithId<CardsComponent>[],
  { mayEdit, hasLayout }: { readonly mayEdit: boolean; readonly hasLayout: boolean },
  actions: { open(dialog: ComponentDialog): void; move(by: -1 | 1): void },
): MenuItem[] {
  const place = all.findIndex(({ id }) => id === component.id);
  return [
    {
      label: 'Details',
      icon: <Pencil size={15} />,
      disabled: !mayEdit,
      onSelect: () => actions.open('details'),
    },
    {
      label: 'Layouts by a column',
      icon: <Split size={15} />,
      disabled: !mayEdit || !hasLayout,
      onSelect: () => actions.open('layouts'),
    },
    {
      label: 'Flashcards',
      icon: <GalleryHorizontalEnd size={15} />,
      divided: true,
      to: `/flashcards/${project.id}/${component.id}`,
    },
    ...(project.mine ? pagesOfOwn(project, component.id) : []),
    {
      label: 'Move left',
      icon: <ArrowLeft size={15} />,
      divided: true,
      disabled: !mayEdit || place <= 0,
      onSelect: () => actions.move(-1),
    },
    {
      label: 'Move right',
      icon: <ArrowRight size={15} />,
      disabled: !mayEdit || place >= all.length - 1,
      onSelect: () => actions.move(1),
    },
    {
      label: 'Delete component',
      icon: <Trash2 size={15} />,
      divided: true,
      danger: true,
      disabled: !mayEdit,
      onSelect: () => actions.open('delete'),
    },
  ];
}
