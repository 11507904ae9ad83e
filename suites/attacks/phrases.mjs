// Attacks by phrase. Every test of this suite names its phrase, and a phrase without a test fails the suite. Further
// attacks are elsewhere: `auth-emu/tests/suite/attacks.rs` on accounts alone (races, codes, mail limits, the outbox),
// `takeover.rs` beside it on accounts for others' addresses, `docstore/tests/rules.rs` on the rules over the store,
// `docstore/wire/tests/wire` on each transport, `functions-host/src/product/members/tests.rs` with invitations as mail bombs
// and links that admit too many, `functions-host/tests/program/product.rs` with an account that writes while it is
// deleted. Content that attacks the page that opens it is tested in `client/src/data/inherited-names.test.ts` (columns
// called like what every object has) and `client/src/data/import/workbook.test.ts` (workbooks with far cells, or that
// unpack to more than they say).
//
// | phrase           | from Node                                  | from Chrome                                      |
// |------------------|--------------------------------------------|--------------------------------------------------|
// | guess            | REST in every form, gRPC by the SDK        | WebChannel by the SDK                            |
// | query            | REST, gRPC                                 | WebChannel                                       |
// | collection group | REST, gRPC                                 | WebChannel                                       |
// | transaction      | REST, gRPC                                 | WebChannel                                       |
// | listener         | REST, gRPC; role, seat and sessions change | WebChannel                                       |
// | expired … revoked token | every endpoint of the server        | none: a browser has no tokens but those it is given |
// | path tricks      | raw bytes on a socket                      | none: a browser normalises paths before it asks  |
// | codes from outside | every endpoint that ever told one, and the log | none: nothing tells them                       |
// | an account for a stranger’s address | password, tokens and mails from before | none: the same requests           |
// | a place in others’ lists | every path that their queries look into | none: the same requests                     |
// | mail links       | host headers, places to go on to           | links followed to their end                      |
// | CSRF             | none: it takes a browser                   | forms, fetches, frames and windows of another site |
// | members          | REST and the callables                     | none: the same requests                          |
// | guesses          | a thousand passwords, codes and tokens     | none: the address counts, not the program        |
// | exports          | addresses inside, images of many pixels, documents nobody can read | none: the server makes them  |

/** The phrases. */
export const PHRASES = [
  'guess',
  'query',
  'collection group',
  'transaction',
  'listener that outlives a role change',
  'expired token',
  'forged token',
  'alg none',
  'foreign-project token',
  'revoked token',
  'path tricks',
  'codes from outside',
  'an account for a stranger’s address',
  'a place in others’ lists',
  'redirect and host-header tricks in mail links',
  'CSRF',
  'a thousand sign-in guesses',
  'exports turned against the server',
  'a layout named in a component',
  'a removed member',
  'a forged name',
];
