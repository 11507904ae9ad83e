// @vitest-environment happy-dom
/** The feedback form of a table, whose questions may change while somebody answers them. */

import { MantineProvider } from '@mantine/core';
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Question } from '../../../../core/play/results/feedback.ts';
import type { TableView } from '../../../../core/play/view/view.ts';
import type { FeedbackForm } from '../../../../data/play/feedback.ts';
import { FeedbackWindow } from './feedback-window.tsx';

const { feedbackForm, sendFeedback } = vi.hoisted(() => ({ feedbackForm: vi.fn(), sendFeedback: vi.fn() }));
vi.mock('../../../../data/play/feedback.ts', () => ({ feedbackForm, sendFeedback }));
afterEach(cleanup);

const yesOrNo = (ask: string): Question => ({ ask, kind: 'choice', choices: ['Yes', 'No'] });
const form = (rev: number, ...asks: readonly string[]): FeedbackForm => ({
  rev,
  questions: asks.map(yesOrNo),
  answers: null,
});

test('questions that have changed meanwhile are shown, and answers to those that stayed are kept', async () => {
  feedbackForm.mockResolvedValueOnce(form(1, 'Too long?', 'Play again?'));
  feedbackForm.mockResolvedValueOnce(form(2, 'Play again?', 'Too many dice?'));
  sendFeedback.mockRejectedValueOnce(new Error('The questions have changed meanwhile.'));
  sendFeedback.mockResolvedValueOnce({ sent: true });
  const view = { faces: new Map() } as unknown as TableView;
  const onClose = vi.fn();
  await act(async () => {
    render(<FeedbackWindow open table="t" view={view} onClose={onClose} />, { wrapper: MantineProvider });
  });
  const question = (name: string) => within(screen.getByRole('radiogroup', { name }));
  const send = () => act(async () => fireEvent.click(screen.getByRole('button', { name: 'Send' })));
  fireEvent.click(question('Too long?').getByLabelText('No'));
  fireEvent.click(question('Play again?').getByLabelText('Yes'));
  await send();
  expect(sendFeedback).toHaveBeenLastCalledWith('t', 1, ['No', 'Yes']);
  expect(onClose).not.toHaveBeenCalled();
  expect(screen.queryByRole('radiogroup', { name: 'Too long?' })).toBeNull();
  expect(question('Play again?').getByLabelText<HTMLInputElement>('Yes').checked).toBe(true);
  await send();
  expect(sendFeedback).toHaveBeenLastCalledWith('t', 2, ['Yes', null]);
  expect(onClose).toHaveBeenCalledOnce();
});
