/** Every business constant and limit of the specification, in one place. */

import { expect, it } from 'vitest';
import { RELOAD_THROTTLE_MS } from '../data/account/session.ts';
import { RESEND_THROTTLE_MS, VERIFICATION_CUTOFF } from '../data/account/verification.ts';
import {
  CURRENT_ANNOUNCEMENT,
  DEFAULT_IMAGE_ICON_SIZE,
  DEFAULT_PNG_EXPORT_SIZE,
  USER_OBJECT_VERSION,
} from '../data/user-object/schema.ts';
import { DEFAULT_REGION, DEFAULT_TIMEOUT_MS } from '../sdk/functions/callable.ts';
import { POPUP_CLOSE_MS } from '../ui/popups/engine.ts';
import { TOAST_AUTO_CLOSE_MS, TOAST_TICK_MS } from '../ui/toasts/engine.ts';
import { TOOLTIP_DELAY_MS } from '../ui/tooltip.tsx';
import { HELP_POPUP_WIDTH_PX } from './help/help-button.tsx';
import { SEARCH_INTERVAL_MS, SEARCH_TRIES, WATCHDOG_MS } from './tutorials/engine.ts';

it.each([
  ['functions timeout', DEFAULT_TIMEOUT_MS, 70_000],
  ['default region', DEFAULT_REGION, 'us-central1'],
  ['user reload throttle', RELOAD_THROTTLE_MS, 3_000],
  ['verification e-mail resend throttle', RESEND_THROTTLE_MS, 60_000],
  ['verification gate cut-off', new Date(VERIFICATION_CUTOFF).toISOString().slice(0, 10), '2025-09-24'],
  ['current announcement', CURRENT_ANNOUNCEMENT, 4],
  ['toast auto-close', TOAST_AUTO_CLOSE_MS, 2_000],
  ['toast tick', TOAST_TICK_MS, 10],
  ['tooltip delay', TOOLTIP_DELAY_MS, 200],
  ['tutorial target search, tries', SEARCH_TRIES, 10],
  ['tutorial target search, interval', SEARCH_INTERVAL_MS, 500],
  ['tutorial watchdog', WATCHDOG_MS, 8_000],
  ['popup close animation', POPUP_CLOSE_MS, 200],
  ['user object version', USER_OBJECT_VERSION, 20],
  ['PNG export size', DEFAULT_PNG_EXPORT_SIZE, 200],
  ['image icon size', DEFAULT_IMAGE_ICON_SIZE, '66px'],
  ['help popup width', HELP_POPUP_WIDTH_PX, 400],
])('%s', (_, value, specified) => {
  expect(value).toBe(specified);
});
