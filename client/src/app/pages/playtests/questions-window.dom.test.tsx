// @vitest-environment happy-dom
/** The window of the questions that players are asked. */

import { MantineProvider } from '@mantine/core';
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Question } from '../../../core/play/results/feedback.ts';
import { QuestionsWindow } from './questions-window.tsx';

const setFeedbackForm = vi.hoisted(() => vi.fn(async () => undefined));
vi.mock('../../../data/play/feedback.ts', () => ({ setFeedbackForm }));
afterEach(cleanup);

test('after a question is removed, the others show their own choices', async () => {
  const questions: readonly Question[] = [
    { ask: 'Length?', kind: 'choice', choices: ['Short', 'Long'] },
    { ask: 'Weight?', kind: 'choice', choices: ['Light', 'Heavy'] },
  ];
  render(<QuestionsWindow open project="p" questions={questions} onClose={() => undefined} />, {
    wrapper: MantineProvider,
  });
  fireEvent.click(screen.getByRole('button', { name: 'Remove question 1' }));
  const left = within(screen.getByRole('group', { name: 'Question 1' }));
  expect(left.getByLabelText<HTMLInputElement>(/^Question/).value).toBe('Weight?');
  const choices = left.getByLabelText<HTMLTextAreaElement>(/^Choices/);
  expect(choices.value).toBe('Light\nHeavy');
  fireEvent.change(choices, { target: { value: 'Light\nHeavy\nHeaviest' } });
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Save' })));
  expect(setFeedbackForm).toHaveBeenCalledExactlyOnceWith('p', [
    { ask: 'Weight?', kind: 'choice', choices: ['Light', 'Heavy', 'Heaviest'] },
  ]);
});
