// A socket that answers every request with the same few bytes and does nothing else: no server can be faster over the
// loopback of this machine. `node suites/bench/bare-answer.mjs PORT`
import { createServer } from 'node:net';

const BODY = '{"result":null}';
const ANSWER = Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`);

const server = createServer({ noDelay: true }, (socket) => {
  socket.on('data', () => socket.write(ANSWER));
  // A caller that leaves is no fault.
  socket.on('error', () => socket.destroy());
});
server.listen(Number(process.argv[2]), '127.0.0.1');
