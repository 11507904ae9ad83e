/** A game with a guest: by its code, without an account, on a page as large as a phone. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faultsInBoth } from '../../axe.ts';
import { type Complaints, launch, openPage } from '../../browser.ts';
import { signUp, verify } from '../../pages/account-page.ts';
import { cardsInHand, hand, log, logged, openTable, press } from '../../pages/play-page.ts';
import { Server } from '../../server.ts';

const ANN = { name: 'Ann Ames', email: 'ann@example.com', password: 'a long enough one' };
const CARDS = Array.from({ length: 12 }, (_, at) => `Card ${at + 1}`);
const PHONE = { width: 390, height: 844 };
/** Least size of what a finger is to hit, in CSS pixels. */
const FINGER = 44;

let server: Server;
let browser: Browser;
let ann: Page;
let gus: Page;
let annsComplaints: Complaints;
let complaints: Complaints;
/** Requests of the guest that a guest has no business with. */
const strange: string[] = [];

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.start(), launch()]);
  const [one, other] = await Promise.all([openPage(browser), openPage(browser)]);
  [ann, gus, annsComplaints, complaints] = [one.page, other.page, one.complaints, other.complaints];
  await gus.setViewportSize(PHONE);
  gus.on('request', (request) => {
    if (/\/documents|\/v0\/b\//.test(request.url())) strange.push(request.url());
  });
  await openTable(ann, server, ANN, CARDS);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const people = () => ann.getByRole('dialog', { name: 'People' });

/** Opens the host's window, does something in it, and closes it. */
async function inPeople<T>(work: () => Promise<T>): Promise<T> {
  await ann.getByRole('button', { name: /^People/ }).click();
  await people().waitFor();
  const done = await work();
  await ann.keyboard.press('Escape');
  await people().waitFor({ state: 'detached' });
  return done;
}

const codeNow = async () => (await people().locator('strong').first().textContent()) ?? '';

/** Sets a box of the host's window, which shows what the server says. */
async function setBox(name: string, on: boolean): Promise<void> {
  const box = people().getByRole('checkbox', { name });
  await box.click();
  await expect.poll(() => box.isChecked()).toBe(on);
}

/** Buttons, links and fields of the page that are too small for a finger. */
async function small(page: Page): Promise<string[]> {
  return page.evaluate((least) => {
    const shown = [...document.querySelectorAll<HTMLElement>('main :is(button, a, input)')];
    return shown.flatMap((element) => {
      const { width, height } = element.getBoundingClientRect();
      if (width === 0 || (width >= least - 0.5 && height >= least - 0.5)) return [];
      return [`${element.getAttribute('aria-label') ?? element.textContent}: ${width} × ${height}`];
    });
  }, FINGER);
}

test('a wrong code is said, and the right one leads to the table, typed in lower case', async () => {
  const code = await inPeople(async () => {
    expect(await faultsInBoth(ann)).toEqual([]);
    return codeNow();
  });
  expect(code).toMatch(/^[2-9A-HJKMNP-Z]{6}$/);
  await gus.goto(`${server.origin}/join`);
  await gus.getByRole('heading', { name: 'Join a table' }).waitFor();
  expect(await faultsInBoth(gus)).toEqual([]);
  await gus.getByRole('button', { name: 'Join the table' }).click();
  await gus.getByText('A code has 6 letters and digits.').waitFor();
  await gus.getByText('Enter the name that the others will see.').waitFor();
  await gus.getByLabel('Your name').fill('Gus Gray');
  const wrong = code === '222222' ? '333333' : '222222';
  await gus.getByLabel('Code').fill(wrong);
  await gus.getByRole('button', { name: 'Join the table' }).click();
  await gus.getByText(/No table has this code/).waitFor();
  complaints.splice(0);
  expect(await faultsInBoth(gus)).toEqual([]);
  await gus.getByLabel('Code').fill(`${server.origin}/join/${code.toLowerCase()}`);
  await expect.poll(() => gus.getByLabel('Code').inputValue()).toBe(code);
  await gus.getByRole('button', { name: 'Join the table' }).click();
  await gus.getByRole('heading', { name: 'Salt Road', level: 1 }).waitFor();
});

test('on a phone the guest sits down, plays from the hand below, and both see it', async () => {
  await expect.poll(() => gus.getByRole('button', { name: 'Sit at Red' }).count()).toBe(0);
  await gus.getByRole('button', { name: 'Sit at Blue' }).click();
  await hand(gus).waitFor();
  await logged(ann, 'Gus Gray sits down');
  await press(ann, /^List ?, ?12 pieces/, 'Shift+D');
  const deal = ann.getByRole('dialog', { name: 'Deal to everybody' });
  await deal.getByLabel('Cards for each').fill('2');
  await deal.getByRole('button', { name: 'Deal' }).click();
  await expect.poll(() => cardsInHand(gus).count()).toBe(2);
  const [felt, tray] = [
    await gus.getByRole('application', { name: 'Table' }).boundingBox(),
    await hand(gus).boundingBox(),
  ];
  expect(tray?.y ?? 0).toBeGreaterThanOrEqual((felt?.y ?? 0) + (felt?.height ?? 0) - 1);
  expect((tray?.y ?? 0) + (tray?.height ?? 0)).toBeLessThanOrEqual(PHONE.height);
  expect(await small(gus)).toEqual([]);
  expect(await gus.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
  expect(await faultsInBoth(gus)).toEqual([]);
  // From the hand to the table with a finger.
  const card = await cardsInHand(gus).first().boundingBox();
  if (!card || !felt) throw new Error('nothing to drag');
  await gus.mouse.move(card.x + 30, card.y + 30);
  await gus.mouse.down();
  await gus.mouse.move(card.x + 40, card.y - 60, { steps: 3 });
  // Above the piles, where nothing lies.
  await gus.mouse.move(felt.x + felt.width / 2, felt.y + 60, { steps: 5 });
  await gus.mouse.up();
  await logged(ann, /Gus Gray plays Card \d+ from their hand/);
  await expect.poll(() => cardsInHand(gus).count()).toBe(1);
  await cardsInHand(ann).first().click();
  await ann.keyboard.press('P');
  await gus.getByRole('button', { name: 'Pieces and log' }).click();
  await log(gus)
    .getByText(/Ann Ames plays Card \d+/)
    .waitFor();
  expect(await small(gus)).toEqual([]);
  await gus.getByRole('button', { name: 'Pieces and log' }).click();
});

test('the phone may be turned: the felt follows, and pieces are hit where they are seen', async () => {
  const felt = gus.getByRole('application', { name: 'Table' });
  for (const viewport of [{ width: PHONE.height, height: PHONE.width }, PHONE]) {
    await gus.setViewportSize(viewport);
    // The hand lies below the felt, and beside it where the window is low: both fill the window.
    const filled = async () => {
      const [table, tray] = await Promise.all([
        felt.locator('canvas').boundingBox(),
        hand(gus).boundingBox(),
      ]);
      if (!table || !tray) return undefined;
      const beside = tray.x > table.x;
      return {
        width: Math.round(beside ? tray.x + tray.width : table.width),
        height: Math.round(beside ? table.y + table.height : tray.y + tray.height),
        touch: beside ? tray.x - table.x - table.width <= 1 : tray.y - table.y - table.height <= 1,
      };
    };
    await expect.poll(filled).toEqual({ ...viewport, touch: true });
    expect(await gus.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
  }
  // The host's own buttons leave the piles alone there.
  await ann.setViewportSize({ width: PHONE.height, height: PHONE.width });
  const buttons = ann.getByRole('region', { name: 'Buttons' });
  await buttons.getByRole('button', { name: 'Set-up' }).waitFor();
  await expect.poll(async () => (await buttons.boundingBox())?.width).toBeLessThan(3 * FINGER);
  expect(await faultsInBoth(ann, 'a host on a phone on its side')).toEqual([]);
  await ann.setViewportSize({ width: 1440, height: 900 });
  // The discard pile lies in the right half of the whole table, beside the deck.
  const box = await felt.boundingBox();
  if (!box) throw new Error('no felt');
  await gus.mouse.click(box.x + box.width * 0.05, box.y + box.height * 0.05);
  expect(await gus.getByRole('menu').count()).toBe(0);
});

test('a guest has nothing but the table: nothing is fetched or saved, and no page of an account opens', async () => {
  expect(strange).toEqual([]);
  expect(complaints).toEqual([]);
  await expect.poll(() => gus.getByRole('dialog').count()).toBe(0);
  await gus.getByRole('button', { name: 'Main menu' }).click();
  expect(await gus.getByRole('menuitem', { name: /Projects/ }).count()).toBe(0);
  await gus.keyboard.press('Escape');
  const table = gus.url();
  await gus.goto(`${server.origin}/decks`);
  await gus.getByRole('heading', { name: 'Welcome back' }).waitFor();
  // Meanwhile the seat waits for its player.
  await ann.getByRole('list', { name: 'Seats' }).getByText('away').waitFor();
  await ann.getByRole('button', { name: 'More for Gus Gray' }).click();
  await ann.getByRole('menuitem', { name: 'Take over this seat' }).click();
  await ann.getByText(/can be taken over 30 minutes after its player left/).waitFor();
  await gus.goto(table);
  await expect.poll(() => cardsInHand(gus).count()).toBe(1);
});

test('whoever needs the host’s approval waits for it, and a lock keeps out who is new', async () => {
  const code = await inPeople(async () => {
    await setBox('Approve who joins', true);
    return codeNow();
  });
  const { page: may, context } = await openPage(browser);
  await may.goto(`${server.origin}/join/${code}`);
  await may.getByLabel('Your name').fill('May');
  await may.getByRole('button', { name: 'Join the table' }).click();
  await may.getByRole('heading', { name: 'Waiting for the host' }).waitFor();
  expect(await faultsInBoth(may)).toEqual([]);
  await ann.getByText('May would like to come in').waitFor();
  expect(await faultsInBoth(ann)).toEqual([]);
  await ann.getByRole('button', { name: 'Let in' }).click();
  await may.getByRole('heading', { name: 'Salt Road', level: 1 }).waitFor();
  await inPeople(() => setBox('Lock the table', true));
  const { page: eve } = await openPage(browser);
  await eve.goto(`${server.origin}/join/${code}`);
  await eve.getByLabel('Your name').fill('Eve');
  await eve.getByRole('button', { name: 'Join the table' }).click();
  await eve.getByText('The host has locked this table').waitFor();
  await inPeople(async () => {
    await setBox('Lock the table', false);
    await setBox('Approve who joins', false);
  });
  await context.close();
  await eve.context().close();
});

test('the host removes the guest, who does not come back by the page or by the code', async () => {
  const after = await inPeople(async () => {
    const code = await codeNow();
    expect(await faultsInBoth(ann)).toEqual([]);
    await people().getByRole('button', { name: 'Remove: Gus Gray' }).click();
    await people().getByRole('button', { name: 'Allow back: Gus Gray' }).waitFor();
    await expect.poll(codeNow).not.toBe(code);
    return await codeNow();
  });
  await gus.getByText('The host has removed you').waitFor();
  expect(await faultsInBoth(gus)).toEqual([]);
  await logged(ann, 'Gus Gray gets up');
  await gus.reload();
  await gus.getByText('The host has removed you').waitFor();
  await gus.goto(`${server.origin}/join/${after}`);
  await gus.getByRole('button', { name: 'Join the table' }).click();
  await gus.getByText('The host has removed you from this table.').waitFor();
  // The browser tells of refused calls, and of nothing else.
  expect(complaints.filter((one) => !/status of 403/.test(one))).toEqual([]);
  expect(annsComplaints).toEqual([]);
});

test('alone, one person plays two seats and looks from each', async () => {
  const card = async () => cardsInHand(ann).first().getAttribute('aria-label');
  const mine = await card();
  await ann.getByRole('button', { name: 'More for Gus Gray' }).click();
  await ann.getByRole('menuitem', { name: 'Play this seat too' }).click();
  await logged(ann, 'Ann Ames sits down');
  const seats = ann.getByRole('list', { name: 'Seats' }).getByRole('listitem');
  await seats.nth(1).getByText('you too').waitFor();
  expect(await card()).toBe(mine);
  await ann.keyboard.press(']');
  await expect.poll(card).not.toBe(mine);
  await seats.nth(0).getByText('you too').waitFor();
  await seats.nth(1).getByText('you', { exact: true }).waitFor();
  await ann.keyboard.press('[');
  await expect.poll(card).toBe(mine);
});

test('who played as a guest and signs up keeps seat and games', async () => {
  const KIM = { name: 'Kim Kay', email: 'kim@example.com', password: 'a long enough one' };
  const code = await inPeople(codeNow);
  const { page: kim, context, complaints: own } = await openPage(browser);
  await kim.goto(`${server.origin}/join/${code}`);
  await kim.getByLabel('Your name').fill(KIM.name);
  await kim.getByRole('button', { name: 'Join the table' }).click();
  await kim.getByRole('heading', { name: 'Salt Road', level: 1 }).waitFor();
  const table = kim.url();
  // A seat is free once one that is played too is given up.
  await ann.getByRole('button', { name: 'More for Ann Ames' }).last().click();
  await ann.getByRole('menuitem', { name: 'Get up from this seat' }).click();
  await kim
    .getByRole('button', { name: /^Sit at / })
    .first()
    .click();
  await logged(ann, 'Kim Kay sits down');
  await kim.goto(`${server.origin}/signup`);
  await kim.getByText('The games that you played as a guest stay yours').waitFor();
  expect(await faultsInBoth(kim)).toEqual([]);
  const signUpWith = async (email: string) => {
    await kim.getByLabel('Name').fill(KIM.name);
    await kim.getByLabel('E-mail').fill(email);
    await kim.getByRole('textbox', { name: 'Password' }).fill(KIM.password);
    await kim.getByRole('button', { name: 'Sign up' }).click();
  };
  // Without a connection no other account is made, and the guest is told.
  for (const [lost, words] of [
    [
      '**/securetoken.googleapis.com/**',
      'The server cannot be reached. Check your connection and try again.',
    ],
    ['**/guestToken', 'The server gave no answer. Check your connection and try again.'],
  ] as const) {
    await kim.route(lost, (route) => route.abort());
    await signUpWith(KIM.email);
    await kim.getByText(words).waitFor();
    await kim.unroute(lost);
    await kim.getByText('The games that you played as a guest stay yours').waitFor();
  }
  await expect.poll(() => own.length).toBe(2);
  own.splice(0);
  // An address that has an account leaves the guest as they are.
  await signUpWith(ANN.email);
  await kim
    .getByText(/already/i)
    .first()
    .waitFor();
  // The browser's word of the refusal may come after that of the page.
  await expect.poll(() => own.length).toBe(1);
  own.splice(0);
  await signUp(kim, server.origin, KIM);
  await verify(kim, server, KIM);
  await kim.goto(`${server.origin}/playtesting`);
  await kim.getByRole('list', { name: 'Open tables' }).getByText('Salt Road').waitFor();
  expect(await faultsInBoth(kim)).toEqual([]);
  await kim.goto(table);
  await kim
    .getByRole('list', { name: 'Seats' })
    .getByRole('listitem')
    .filter({ hasText: 'Kim Kay' })
    .getByText('you')
    .waitFor();
  await hand(kim).waitFor();
  expect(own).toEqual([]);
  await context.close();
});
