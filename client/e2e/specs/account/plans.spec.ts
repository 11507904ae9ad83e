/** Plans: what the free one holds, paying for a larger one at a stand-in for the payment service, and ending it. */

import { createHmac } from 'node:crypto';
import { createServer, type Server as HttpServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launch, openPage } from '../../browser.ts';
import { signUp, verify } from '../../pages/account-page.ts';
import { createProject } from '../../pages/project-page.ts';
import { Server } from '../../server.ts';

const PERSON = { name: 'Pia Lund', email: 'pia@example.com', password: 'a long enough one' };
const SECRET = 'whsec_browser';
const SUBSCRIPTION = 'sub_1';

let service: HttpServer;
let server: Server;
let browser: Browser;
let page: Page;
/** Status of the stand-in's one subscription; its order holds the return address. */
let status = 'none';
let order = new URLSearchParams();

const read = async (request: IncomingMessage) => {
  let text = '';
  for await (const part of request) text += part;
  return new URLSearchParams(text);
};

/** Tells the server that something about the subscription has changed, as the service would. */
async function tell(): Promise<void> {
  const body = JSON.stringify({
    type: 'customer.subscription.updated',
    data: { object: { id: SUBSCRIPTION } },
  });
  const time = Math.floor(Date.now() / 1000);
  const hex = createHmac('sha256', SECRET).update(`${time}.${body}`).digest('hex');
  const reply = await fetch(`${server.origin}/__/checkout/webhook`, {
    method: 'POST',
    headers: { 'Stripe-Signature': `t=${time},v1=${hex}` },
    body,
  });
  if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`);
}

/** A payment service with one customer: an order, a page where it is paid, and one where it is ended. */
function standIn(): HttpServer {
  return createServer((request, response) => {
    void (async () => {
      const { pathname } = new URL(request.url ?? '/', 'http://localhost');
      const here = `http://${request.headers.host}`;
      const json = (value: object) => {
        response.setHeader('Content-Type', 'application/json');
        response.end(JSON.stringify(value));
      };
      const html = (text: string) => {
        response.setHeader('Content-Type', 'text/html');
        response.end(`<!doctype html><title>Till</title>${text}`);
      };
      const leave = (to: string) => response.writeHead(302, { Location: to }).end();
      if (pathname === '/v1/checkout/sessions') {
        order = await read(request);
        json({ url: `${here}/till` });
      } else if (pathname === '/v1/billing_portal/sessions') {
        order = await read(request);
        json({ url: `${here}/portal` });
      } else if (pathname === `/v1/subscriptions/${SUBSCRIPTION}`) {
        json({
          id: SUBSCRIPTION,
          status,
          customer: 'cus_1',
          metadata: { uid: buyer },
          items: { data: [{ price: { id: 'price_maker' } }] },
        });
      } else if (pathname === '/till') {
        buyer = order.get('client_reference_id') ?? '';
        html('<a href="/pay">Pay</a>');
      } else if (pathname === '/portal') html('<a href="/end">End</a>');
      else if (pathname === '/pay') {
        // People are back before the server hears of it.
        leave(order.get('success_url') ?? '');
        status = 'active';
        await tell();
      } else if (pathname === '/end') {
        status = 'canceled';
        await tell();
        leave(order.get('return_url') ?? '');
      } else response.writeHead(404).end('{}');
    })();
  });
}
let buyer = '';

beforeAll(async () => {
  service = standIn();
  await new Promise<void>((ready) => service.listen(0, '127.0.0.1', ready));
  const { port } = service.address() as AddressInfo;
  process.env['E2E_PAY_KEY'] = 'sk_browser';
  process.env['E2E_PAY_SECRET'] = SECRET;
  const plans = {
    offered: [
      {
        id: 'free',
        name: 'Hobby',
        price: '€0',
        limits: { projects: 1, storageBytes: 104_857_600, documentBytes: 1_048_576 },
      },
      {
        id: 'maker',
        name: 'Maker',
        price: '€5 a month',
        includes: ['Answers within a day'],
        limits: { projects: 20 },
        stripePrice: 'price_maker',
      },
    ],
    stripe: {
      api: `http://127.0.0.1:${port}`,
      secretKeyEnv: 'E2E_PAY_KEY',
      webhookSecretEnv: 'E2E_PAY_SECRET',
    },
  };
  [server, browser] = await Promise.all([Server.start({ tuckbox: { plans } }), launch()]);
  ({ page } = await openPage(browser));
  await signUp(page, server.origin, PERSON);
  await verify(page, server, PERSON);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
  service?.closeAllConnections();
  service?.close();
});

const plan = () => page.getByRole('region', { name: 'Plan', exact: true });

test('the free plan holds one project, a paid one more, and what was made stays when it ends', async () => {
  await createProject(page, 'Salt Road');
  await page.goto(`${server.origin}/decks`);
  await page.getByRole('button', { name: 'New project' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New project' });
  await dialog.getByLabel('Name').fill('Second');
  await dialog.getByRole('button', { name: 'Create project' }).click();
  await page.getByText('The plan “Hobby” holds 1 project', { exact: false }).waitFor();
  await expect
    .poll(() => dialog.getByLabel('Name').inputValue(), { message: 'nothing typed is lost' })
    .toBe('Second');

  await page.goto(`${server.origin}/pricing`);
  await page.getByRole('region', { name: 'Hobby' }).getByText('Your plan').waitFor();
  const maker = page.getByRole('region', { name: 'Maker' });
  await expect
    .poll(() => maker.getByRole('listitem').allTextContents())
    .toEqual(['20 projects', 'Answers within a day']);
  await maker.getByRole('button', { name: 'Choose Maker' }).click();
  await page.getByRole('link', { name: 'Pay' }).click();
  await page.getByText('Thank you: your payment has arrived.').waitFor();
  await plan().getByText('Maker').waitFor();
  await plan().getByText('1 of 20').waitFor();

  await page.goto(`${server.origin}/decks`);
  await createProject(page, 'Second');

  await page.goto(`${server.origin}/account`);
  await plan().getByRole('button', { name: 'Manage plan' }).click();
  await page.getByRole('link', { name: 'End' }).click();
  await page.waitForURL(`${server.origin}/account`);
  await plan().getByText('Hobby').waitFor();
  await plan().getByText('2 of 1').waitFor();
  await plan()
    .getByText(/ of 1 MB$/)
    .waitFor();
  await page.goto(`${server.origin}/decks`);
  await page.getByRole('list', { name: 'Projects' }).getByText('Second').first().waitFor();
});

test('a visitor sees the plans and is asked to sign up before anything is bought', async () => {
  const { context, page: visitor } = await openPage(browser);
  await visitor.goto(`${server.origin}/pricing`);
  await visitor.getByRole('region', { name: 'Maker' }).getByText('€5 a month').waitFor();
  expect(await visitor.getByRole('button', { name: /^Choose/ }).count()).toBe(0);
  await visitor.getByRole('link', { name: 'Start your first deck' }).waitFor();
  await context.close();
});
