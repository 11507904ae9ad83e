import { Button } from '@mantine/core';
import { X } from 'lucide-react';
import { useEffect, useReducer, useRef, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { useNavigate } from 'react-router';
import { useUserObject } from '../../data/user-object/use-user-object.ts';
import { Popup, PopupActions } from '../../ui/popups/popup.tsx';
import { observeTopDialog } from '../../ui/popups/top-dialog.ts';
import { parseInline } from '../prose/parse.ts';
import { Line } from '../prose/prose.tsx';
import { LOST_MESSAGE, type TutorialState } from './engine.ts';
import { placeBubble } from './place.ts';
import { findTarget, resumeTutorial, setTutorialNavigation, tutorials } from './runtime.ts';
import css from './tutorial-overlay.module.css';

/** Space between the target and the ring around it, in CSS pixels. */
const RING_PX = 5;

/** True if Ctrl+Enter in the element is part of the text. */
const breaksLines = (element: EventTarget | null): boolean =>
  element instanceof HTMLTextAreaElement || (element instanceof HTMLElement && element.isContentEditable);

/** Fields that are clicked to type or choose in them. */
const isField = (element: EventTarget | null): boolean =>
  breaksLines(element) ||
  element instanceof HTMLSelectElement ||
  (element instanceof HTMLInputElement && !['checkbox', 'radio', 'button'].includes(element.type));

const isLabel = (element: EventTarget | null): boolean =>
  element instanceof Element && element.closest('label') !== null;

type Showing = Extract<TutorialState, { phase: 'showing' }>;

/** Element that a bubble belongs to: in a modal dialog only what belongs to the dialog can be reached. */
const hostOf = (target: HTMLElement): HTMLElement => target.closest('dialog') ?? document.body;

/** Instruction beside its target. `onMoved` is called once the target is in another dialog, or in none any more. */
function Bubble({ state, target, onMoved }: { state: Showing; target: HTMLElement; onMoved: () => void }) {
  const { tutorial, step } = state;
  const bubble = useRef<HTMLDivElement>(null);
  const ring = useRef<HTMLDivElement>(null);
  const last = tutorial.stepIndex === tutorial.steps.length - 1;

  useEffect(() => {
    target.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    ring.current?.showPopover();
    bubble.current?.showPopover();
    let frame = 0;
    const follow = () => {
      const element = findTarget(step.selector);
      const words = bubble.current;
      if (element && hostOf(element) !== hostOf(target)) onMoved();
      // Behind a window, or gone until the next check: a bubble there would point at nothing and could not be clicked.
      for (const part of [words, ring.current])
        if (part) part.style.visibility = element ? 'visible' : 'hidden';
      if (element && words) {
        const box = element.getBoundingClientRect();
        const place = placeBubble(
          box,
          { width: words.offsetWidth, height: words.offsetHeight },
          { width: window.innerWidth, height: window.innerHeight },
          step.position,
        );
        words.style.transform = `translate(${place.left}px, ${place.top}px)`;
        if (ring.current) {
          ring.current.style.transform = `translate(${box.left - RING_PX}px, ${box.top - RING_PX}px)`;
          ring.current.style.width = `${box.width + RING_PX * 2}px`;
          ring.current.style.height = `${box.height + RING_PX * 2}px`;
        }
      }
      frame = requestAnimationFrame(follow);
    };
    follow();
    return () => cancelAnimationFrame(frame);
  }, [target, step, onMoved]);

  return createPortal(
    <>
      {step.highlight && <div ref={ring} popover="manual" className={css.ring} aria-hidden />}
      <div
        ref={bubble}
        popover="manual"
        role="dialog"
        aria-label={`Tutorial: ${tutorial.name}`}
        className={css.bubble}
      >
        <div className={css.head}>
          <span>
            {tutorial.name}, {tutorial.stepIndex + 1} of {tutorial.steps.length}
          </span>
          <button
            type="button"
            className={css.close}
            aria-label="Close tutorial"
            onClick={() => tutorials.close()}
          >
            <X size={16} aria-hidden />
          </button>
        </div>
        <p role="status">
          <Line content={parseInline(step.instruction)} />
        </p>
        {step.next && (
          <div className={css.foot}>
            <kbd>Ctrl Enter</kbd>
            <Button size="xs" onClick={() => tutorials.next()}>
              {last ? 'End Tutorial' : 'Next'}
            </Button>
          </div>
        )}
      </div>
    </>,
    hostOf(target),
  );
}

/** Shows the tutorial somebody is in, also after the page was loaded anew. */
export function TutorialOverlay() {
  const state = useSyncExternalStore(tutorials.subscribe, tutorials.snapshot);
  const { userObject, ready } = useUserObject();
  const [resumed, setResumed] = useState(false);
  const navigate = useNavigate();
  const [, look] = useReducer((looks: number) => looks + 1, 0);
  const target = state.phase === 'showing' ? findTarget(state.step.selector) : undefined;

  useEffect(() => setTutorialNavigation((route) => void navigate(route)), [navigate]);
  // A window that closes may uncover the target.
  useEffect(() => observeTopDialog(look), []);
  useEffect(() => {
    if (!ready || resumed) return;
    setResumed(true);
    void resumeTutorial(userObject.tutorialData.currentTutorial);
  }, [ready, resumed, userObject]);
  useEffect(() => {
    // A section, a tree and a text hold more than one thing to do: only Next says that all is done.
    const used = ({ target: hit }: Event) =>
      hit instanceof Element &&
      tutorials.clicked(
        (selector) =>
          hit.closest(selector)?.matches(':not(section, [role="tree"], [role="textbox"])') ?? false,
      );
    // A field is used when something was put in it: who has only clicked there, or on its label, is about to.
    const clicked = (event: Event) => !isField(event.target) && !isLabel(event.target) && used(event);
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || breaksLines(event.target)) return;
      tutorials.next();
    };
    document.addEventListener('click', clicked, true);
    document.addEventListener('change', used, true);
    document.addEventListener('drop', used, true);
    document.addEventListener('keydown', pressed);
    return () => {
      document.removeEventListener('click', clicked, true);
      document.removeEventListener('change', used, true);
      document.removeEventListener('drop', used, true);
      document.removeEventListener('keydown', pressed);
    };
  }, []);

  return (
    <>
      {state.phase === 'showing' && target && (
        <Bubble key={state.tutorial.stepIndex} state={state} target={target} onMoved={look} />
      )}
      <Popup open={state.phase === 'lost'} onClose={() => tutorials.close()} title="Lost the thread?">
        <p>{LOST_MESSAGE}</p>
        <PopupActions>
          <Button onClick={() => tutorials.close()}>Close tutorial</Button>
        </PopupActions>
      </Popup>
    </>
  );
}
