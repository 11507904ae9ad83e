import Bowser from 'bowser';

/** Longest name of a program that is no browser. */
const MAX_PROGRAM_LENGTH = 40;

/** Browser and system of a `User-Agent` in words: “Firefox on Linux”. */
export function deviceName(userAgent: string | null): string {
  if (!userAgent) return 'Unknown device';
  const { browser, os } = Bowser.parse(userAgent);
  const name = browser.name || (userAgent.split(/[/ ]/, 1)[0] ?? '').slice(0, MAX_PROGRAM_LENGTH);
  return os.name ? `${name || 'Unknown browser'} on ${os.name}` : name || 'Unknown device';
}
