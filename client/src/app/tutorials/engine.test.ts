import { beforeEach, describe, expect, it } from 'vitest';
import { type TutorialData, type TutorialStep, tutorialSchema } from '../../data/user-object/schema.ts';
import { TUTORIALS, tutorialNamed } from './definitions.ts';
import { LOST_MESSAGE, SEARCH_INTERVAL_MS, SEARCH_TRIES, TutorialEngine, WATCHDOG_MS } from './engine.ts';

const step = (selector: string, change: Partial<TutorialStep> = {}): TutorialStep => ({
  selector,
  instruction: selector,
  position: { horizontal: 'center', vertical: 'bottom' },
  next: false,
  highlight: true,
  ...change,
});
const DEFINED = [
  {
    name: 'walk',
    routeName: '/walk',
    stepIndex: 0,
    steps: [step('a'), step('b', { next: true }), step('c')],
  },
  {
    name: 'first',
    routeName: '/first',
    stepIndex: 0,
    steps: [step('a', { nextTutorialName: 'walk', nextTutorialStepIndex: 1, noRouteNavigation: true })],
  },
];

let page: Set<string>;
let looks: string[];
let data: TutorialData;
let routes: string[];
let due: { at: number; run: () => void } | undefined;
let now: number;
let engine: TutorialEngine;
/** True while a window lies over the page. */
let covered: boolean;

/** Moves the clock. */
function pass(ms: number): void {
  const end = now + ms;
  while (due && due.at <= end) {
    const { at, run } = due;
    due = undefined;
    now = at;
    run();
  }
  now = end;
}
const click = (selector: string) => engine.clicked((wanted) => wanted === selector);
const shown = () => {
  const state = engine.snapshot();
  return state.phase === 'showing' ? state.step.selector : state.phase;
};

beforeEach(() => {
  page = new Set(['a', 'b', 'c']);
  looks = [];
  data = { currentTutorial: null, namesOfTutorialsCompleted: [] };
  routes = [];
  due = undefined;
  now = 0;
  covered = false;
  engine = new TutorialEngine({
    exists: (selector) => {
      looks.push(selector);
      return page.has(selector);
    },
    covered: () => covered,
    timer: (run, ms) => {
      const mine = { at: now + ms, run };
      due = mine;
      return () => {
        if (due === mine) due = undefined;
      };
    },
    save: (change) => {
      data = change(data);
    },
    navigate: (route) => routes.push(route),
    named: (name) => DEFINED.find((one) => one.name === name),
  });
});

it('has the constants of the specification', () => {
  expect([SEARCH_TRIES, SEARCH_INTERVAL_MS, WATCHDOG_MS]).toEqual([10, 500, 8000]);
  expect(LOST_MESSAGE).toBe("Hmmm.... It looks like you're not in the tutorial anymore.");
});

describe('a tutorial', () => {
  it('is copied, kept, and begins on its route', () => {
    engine.activate('walk');
    expect(data.currentTutorial).toEqual(DEFINED[0]);
    expect(data.currentTutorial).not.toBe(DEFINED[0]);
    expect(routes).toEqual(['/walk']);
    pass(500);
    expect(shown()).toBe('a');
  });

  it('may begin at a step, and stay where it is', () => {
    engine.activate('walk', { stepIndex: 2, noRouteNavigation: true });
    expect(routes).toEqual([]);
    expect(data.currentTutorial?.stepIndex).toBe(2);
    pass(500);
    expect(shown()).toBe('c');
  });

  it('goes on by a click on the target, always, and by Next where the step has it', () => {
    engine.activate('walk');
    pass(500);
    engine.next();
    click('b');
    expect(shown()).toBe('a');
    click('a');
    expect(data.currentTutorial?.stepIndex).toBe(1);
    pass(500);
    engine.next();
    pass(500);
    expect(shown()).toBe('c');
    click('c');
    expect(shown()).toBe('idle');
    expect(data).toEqual({ currentTutorial: null, namesOfTutorialsCompleted: ['walk'] });
  });

  it('counts a click that comes before the step shows', () => {
    engine.activate('walk');
    click('a');
    expect(data.currentTutorial?.stepIndex).toBe(1);
    click('b');
    expect(data.currentTutorial?.stepIndex).toBe(2);
    pass(500);
    expect(shown()).toBe('c');
  });

  it('is completed once, however often it is done', () => {
    for (let i = 0; i < 2; i++) {
      engine.activate('walk', { stepIndex: 2 });
      pass(500);
      click('c');
    }
    expect(data.namesOfTutorialsCompleted).toEqual(['walk']);
  });

  it('hands over to the next one', () => {
    engine.activate('first');
    pass(500);
    click('a');
    expect(data).toMatchObject({
      currentTutorial: { name: 'walk', stepIndex: 1 },
      namesOfTutorialsCompleted: ['first'],
    });
    expect(routes).toEqual(['/first']);
    pass(500);
    expect(shown()).toBe('b');
  });

  it('goes on after a reload', () => {
    engine.resume({ ...(DEFINED[0] ?? never()), stepIndex: 1 });
    pass(500);
    expect(shown()).toBe('b');
    expect(routes).toEqual([]);
  });

  it('ends when it is closed', () => {
    engine.activate('walk');
    pass(500);
    engine.close();
    expect(shown()).toBe('idle');
    expect(data.currentTutorial).toBeNull();
    expect(due).toBeUndefined();
  });
});

it('leaves what is kept alone when another tab takes over', () => {
  engine.activate('walk');
  pass(500);
  engine.handOver();
  expect(shown()).toBe('idle');
  expect(due).toBeUndefined();
  expect(data.currentTutorial?.name).toBe('walk');
});

describe('a target that is missing', () => {
  it('is looked for ten times, half a second apart', () => {
    page.delete('a');
    engine.activate('walk');
    pass(4_500);
    expect(looks).toHaveLength(9);
    page.add('a');
    pass(500);
    expect(looks).toHaveLength(10);
    expect(shown()).toBe('a');
  });

  it('takes the tutorial back one step, once, and cancels it when it is missing again', () => {
    page = new Set(['a']);
    engine.activate('walk');
    pass(500);
    click('a');
    looks = [];
    pass(5_000);
    expect(looks).toEqual(Array(10).fill('b'));
    expect(data.currentTutorial?.stepIndex).toBe(0);
    pass(500);
    expect(shown()).toBe('a');
    click('a');
    looks = [];
    pass(4_999);
    expect(shown()).toBe('searching');
    pass(1);
    expect(looks).toEqual(Array(10).fill('b'));
    expect(shown()).toBe('lost');
    expect(data.currentTutorial).toBeNull();
  });

  it('may be missing once more after it was shown, as may the one after it', () => {
    page = new Set(['a']);
    engine.activate('walk');
    pass(500);
    click('a');
    pass(5_500);
    page.add('b');
    click('a');
    pass(500);
    expect(shown()).toBe('b');
    engine.next();
    pass(5_500);
    expect(shown()).toBe('b');
    engine.next();
    page.add('c');
    pass(500);
    expect(shown()).toBe('c');
  });

  it('cancels when the step before is missing too', () => {
    page = new Set(['c']);
    engine.resume({ ...(DEFINED[0] ?? never()), stepIndex: 1 });
    pass(10_000);
    expect(looks).toEqual([...Array(10).fill('b'), ...Array(10).fill('a')]);
    expect(shown()).toBe('lost');
    engine.close();
    expect(shown()).toBe('idle');
  });

  it('is noticed every eight seconds', () => {
    engine.activate('walk');
    pass(500);
    looks = [];
    pass(16_000);
    expect(looks).toEqual(['a', 'a']);
    page.delete('a');
    pass(7_999);
    expect(shown()).toBe('a');
    pass(1);
    expect(shown()).toBe('lost');
  });

  it('is waited for while a window lies over the page, and not missed behind it', () => {
    page = new Set(['a']);
    engine.activate('walk');
    pass(500);
    covered = true;
    page.delete('a');
    pass(24_000);
    expect(shown()).toBe('a');
    click('a');
    pass(60_000);
    expect(shown()).toBe('searching');
    expect(data.currentTutorial?.stepIndex).toBe(1);
    covered = false;
    pass(4_500);
    page.add('b');
    pass(500);
    expect(shown()).toBe('b');
  });
});

describe('the tutorials', () => {
  it('begin with the three of the specification', () => {
    expect(TUTORIALS.map(({ tutorial }) => tutorial.name).slice(0, 3)).toEqual([
      'Create your first layout',
      'Create your first project',
      'Print your component to PDF',
    ]);
    expect(tutorialNamed('no such one')).toBeUndefined();
  });

  it.each(TUTORIALS)('$tutorial.name can be kept, and ends with a button', ({ tutorial }) => {
    expect(tutorialSchema.parse(tutorial)).toEqual(tutorial);
    expect(tutorial.steps.at(-1)?.next).toBe(true);
  });
});

function never(): never {
  throw new Error('there is one');
}
