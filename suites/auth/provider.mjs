// An OpenID Connect provider with one page, where people say who they are: code flow with PKCE, ES256.
import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { createServer } from 'node:http';

const PAGE = `<!doctype html><meta charset="utf-8"><title>Provider</title>
<form action="/decide"><input type="hidden" name="asked">
<label>E-mail <input name="email"></label> <label>Name <input name="name"></label>
<button>Sign in</button> <button name="refuse" value="1">Cancel</button></form>
<script>document.querySelector('[name=asked]').value = location.search</script>`;

const part = (json) => Buffer.from(JSON.stringify(json)).toString('base64url');

/** Starts one for a client; answers `{ issuer, returned, close }`, where `returned` grows by each place it sends to. */
export async function startProvider(client) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = { ...publicKey.export({ format: 'jwk' }), kid: '1', use: 'sig', alg: 'ES256' };
  const codes = new Map();
  const returned = [];
  let issuer;

  const tokenOf = ({ email, name, nonce }) => {
    const now = Math.floor(Date.now() / 1000);
    const sub = createHash('sha256').update(email).digest('hex').slice(0, 20);
    const claims = { iss: issuer, aud: client, iat: now, exp: now + 600, sub, nonce };
    const signed = `${part({ alg: 'ES256', kid: '1' })}.${part({ ...claims, email, email_verified: true, name })}`;
    const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
    return `${signed}.${signature.toString('base64url')}`;
  };

  const answers = {
    '/.well-known/openid-configuration': () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
    }),
    '/keys': () => ({ keys: [key] }),
    '/token': (form) => {
      const given = codes.get(form.get('code'));
      codes.delete(form.get('code'));
      const verifier = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url');
      if (!given || given.challenge !== verifier) return undefined;
      return { access_token: randomUUID(), token_type: 'Bearer', id_token: tokenOf(given) };
    },
  };

  /** The address that the person is redirected to after deciding. */
  const decided = (form) => {
    const asked = new URLSearchParams(form.get('asked'));
    const back = new URL(asked.get('redirect_uri'));
    back.searchParams.set('state', asked.get('state'));
    if (form.has('refuse')) back.searchParams.set('error', 'access_denied');
    else {
      const code = randomUUID();
      const [nonce, challenge] = [asked.get('nonce'), asked.get('code_challenge')];
      codes.set(code, { email: form.get('email'), name: form.get('name'), nonce, challenge });
      back.searchParams.set('code', code);
    }
    returned.push(back.href);
    return back.href;
  };

  const server = createServer(async (request, response) => {
    const url = new URL(request.url, issuer);
    let body = '';
    for await (const chunk of request) body += chunk;
    if (url.pathname === '/authorize') {
      response.setHeader('content-type', 'text/html').end(PAGE);
    } else if (url.pathname === '/decide') {
      response.writeHead(302, { location: decided(url.searchParams) }).end();
    } else {
      const answer = answers[url.pathname]?.(new URLSearchParams(body));
      response.writeHead(answer ? 200 : 400, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer ?? { error: 'invalid_grant' }));
    }
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  issuer = `http://127.0.0.1:${server.address().port}`;
  return { issuer, returned, close: () => server.close() };
}
