// A thousand guesses of passwords, of codes in mails and of tokens: as many as the limits say are tried, and no more.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { eachAtOnce } from '../shared/at-once.mjs';
import { PASSWORD } from './world.mjs';

const MANY = 1_000;
/** Wrong passwords checked for one account before it has to wait. */
const TRIED = 10;
/** Guesses in flight at once. */
const AT_ONCE = 50;

/** Runs `guess` a thousand times; the messages of what came back. */
async function thousand(guess) {
  const messages = [];
  const numbers = Array.from({ length: MANY }, (_, number) => number);
  await eachAtOnce(numbers, AT_ONCE, async (number) => {
    const { status, reply } = await guess(number);
    messages.push(status === 200 ? 'let in' : String(reply.error?.message ?? reply.error));
  });
  return messages;
}

const count = (messages, start) => messages.filter((message) => message.startsWith(start)).length;

export function guessAttacks(world, attack) {
  const phrase = 'a thousand sign-in guesses';

  attack(phrase, 'at a password, by every name of the door and under borrowed addresses', async () => {
    const ida = await world.signUp('ida', 'ida@example.com');
    const doors = ['v1/accounts:signInWithPassword', 'v3/relyingparty/verifyPassword'];
    const spelt = ['ida@example.com', 'IDA@example.com', ' ida@example.com'];
    const messages = await thousand(async (number) => {
      const door = doors[number % doors.length];
      const host = door.startsWith('v1')
        ? 'identitytoolkit.googleapis.com'
        : 'www.googleapis.com/identitytoolkit';
      const address = `10.${number % 250}.${number % 83}.7`;
      const { status, text } = await world.ask('POST', `/${host}/${door}?key=k${number}`, {
        body: { email: spelt[number % spelt.length], password: `guess ${number}` },
        headers: { 'x-forwarded-for': address, 'x-real-ip': address, forwarded: `for=${address}` },
      });
      return { status, reply: JSON.parse(text) };
    });
    const looked = count(messages, 'INVALID_LOGIN_CREDENTIALS');
    assert.ok(looked > 0 && looked <= TRIED + 2, `${looked} passwords were looked at`);
    const rest = MANY - looked - count(messages, 'INVALID_EMAIL');
    assert.equal(count(messages, 'TOO_MANY_ATTEMPTS_TRY_LATER'), rest);
    // The right one has to wait as well: whether a guess was right is not told.
    const body = { email: ida.email, password: PASSWORD };
    const { reply } = await world.accounts('signInWithPassword', body);
    assert.match(reply.error.message, /^TOO_MANY_ATTEMPTS_TRY_LATER/);
  });

  attack(
    phrase,
    'at the code of a mail, and at the tokens of sessions',
    async () => {
      const { ann } = world.people;
      await world.accounts('sendOobCode', { requestType: 'PASSWORD_RESET', email: ann.email });
      const code = () => randomBytes(32).toString('base64url');
      const codes = await thousand(() =>
        world.accounts('resetPassword', { oobCode: code(), newPassword: 'an attacker’s' }),
      );
      assert.equal(count(codes, 'let in'), 0);
      const tokens = await thousand(async () => {
        const body = new URLSearchParams({
          grant_type: 'refresh_token',
          refresh_token: `${ann.refresh.slice(0, -40)}${randomBytes(30).toString('base64url')}`,
        });
        const headers = { 'content-type': 'application/x-www-form-urlencoded' };
        const { status, text } = await world.ask('POST', '/securetoken.googleapis.com/v1/token?key=k', {
          body: body.toString(),
          headers,
        });
        return { status, reply: JSON.parse(text) };
      });
      assert.equal(count(tokens, 'let in'), 0);
    },
    { long: true },
  );
}
