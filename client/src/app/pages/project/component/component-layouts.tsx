import { Button } from '@mantine/core';
import { ChevronDown, FlipHorizontal2, LayoutTemplate, PenTool, Plus, Sparkles, X } from 'lucide-react';
import { newLayout } from '../../../../core/scene/new-layout.ts';
import { sameSize } from '../../../../core/scene/sizes.ts';
import { isolated } from '../../../../core/text/names.ts';
import type { Component, LayoutDocument, WithId } from '../../../../data/documents/documents.ts';
import type { Project } from '../../../../data/project/open-project.ts';
import { chooseBackLayout } from '../../../../data/project/printing.ts';
import { connectLayout, createLayout } from '../../../../data/project/project-contents.ts';
import { Menu, type MenuItem } from '../../../../ui/menu/menu.tsx';
import css from '../project.module.css';

/** Layouts on the two sides of a component's cards, with a choice of others. */
export function ComponentLayouts({
  project,
  component,
  layouts,
  mayEdit,
  run,
  onStart,
  onEdit,
}: {
  project: Project;
  component: WithId<Component>;
  layouts: readonly WithId<LayoutDocument>[];
  mayEdit: boolean;
  /** Does something that may fail, and tells of it. */
  run: (work: () => Promise<unknown>) => void;
  /** Starts a layout for the fronts: from the columns, or an empty one. */
  onStart: (suggested: boolean) => void;
  /** Goes to the editor. */
  onEdit: (layout: string) => unknown;
}) {
  const front = layouts.find(({ id }) => id === component.layoutId);
  const back = layouts.find(({ id }) => id === component.backLayoutId);
  const fronts: MenuItem[] = [
    ...layouts.map((one) => ({
      id: one.id,
      label: one.name,
      disabled: !mayEdit || one.id === component.layoutId,
      onSelect: () => run(() => connectLayout(project, component.id, one.id, false)),
    })),
    {
      label: 'Start a layout from these columns',
      icon: <Sparkles size={15} />,
      divided: layouts.length > 0,
      disabled: !mayEdit,
      onSelect: () => onStart(true),
    },
    { label: 'Empty layout', icon: <Plus size={15} />, disabled: !mayEdit, onSelect: () => onStart(false) },
  ];
  return (
    <>
      <Menu width={290} className={css.choose} items={fronts}>
        <LayoutTemplate size={16} aria-hidden />
        <span>{front ? `Layout: ${front.name}` : 'Choose layout'}</span>
        <ChevronDown size={14} aria-hidden />
      </Menu>
      {front && (
        <>
          <Button
            variant="default"
            disabled={!mayEdit}
            leftSection={<PenTool size={16} aria-hidden />}
            onClick={() => void onEdit(front.id)}
          >
            Edit layout
          </Button>
          <Menu
            width={290}
            className={css.choose}
            items={backs(project, component, front, layouts, { mayEdit, run, onEdit })}
          >
            <FlipHorizontal2 size={16} aria-hidden />
            <span>{told(front, back)}</span>
            <ChevronDown size={14} aria-hidden />
          </Menu>
        </>
      )}
    </>
  );
}

/** Description of the backs, in words. */
function told(front: LayoutDocument, back: LayoutDocument | undefined): string {
  if (!back) return 'No back';
  return sameSize(front.scene, back.scene)
    ? `Back: ${back.name}`
    : `Back of another size: ${isolated(back.name)}`;
}

function backs(
  project: Project,
  component: WithId<Component>,
  front: WithId<LayoutDocument>,
  layouts: readonly WithId<LayoutDocument>[],
  { mayEdit, run, onEdit }: Pick<Parameters<typeof ComponentLayouts>[0], 'mayEdit' | 'run' | 'onEdit'>,
): MenuItem[] {
  const { backLayoutId } = component;
  const connect = (layout: string | null) => chooseBackLayout(project, component.id, layout);
  // A back must be as large as its front.
  const fitting = layouts.filter(({ scene }) => sameSize(scene, front.scene));
  return [
    {
      label: 'No back',
      icon: <X size={15} />,
      disabled: !mayEdit || backLayoutId === null,
      onSelect: () => run(() => connect(null)),
    },
    ...fitting.map((one, i) => ({
      id: one.id,
      label: one.name,
      divided: i === 0,
      disabled: !mayEdit || one.id === backLayoutId,
      onSelect: () => run(() => connect(one.id)),
    })),
    {
      label: 'Edit the back',
      icon: <PenTool size={15} />,
      divided: true,
      disabled: !mayEdit || !layouts.some(({ id }) => id === backLayoutId),
      onSelect: () => void (backLayoutId && onEdit(backLayoutId)),
    },
    {
      label: 'Empty back',
      icon: <Plus size={15} />,
      disabled: !mayEdit,
      onSelect: () =>
        run(async () => {
          const made = newLayout(`${component.name} back`, front.scene.size);
          await onEdit(await createLayout(made, { project, component: component.id, back: true }));
        }),
    },
  ];
}
