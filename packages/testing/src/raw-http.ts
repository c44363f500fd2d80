import { connect, type Socket } from 'node:net';

/** The response, or how the connection ended without one. */
export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
};

export type Sending = {
  readonly method: string;
  readonly bytes: Buffer;
  /** The request may break the connection: it gets its own. */
  readonly apart: boolean;
  /** Closes the sending side after these bytes, as a client that gave up. */
  readonly hangUp: boolean;
};

const timeoutMs = 10_000;

/** HTTP/1.1 as raw bytes, for requests that no proper client would send. Valid requests share a connection. */
export function createWire(port: number) {
  let kept: Socket | null = null;

  return {
    async ask(sending: Sending): Promise<Answer | string> {
      if (sending.apart) {
        const socket = connect(port, '127.0.0.1');
        const answer = await exchange(socket, sending);
        socket.destroy();
        return answer;
      }
      const reused = kept !== null && !kept.destroyed;
      const socket = reused ? kept! : connect(port, '127.0.0.1').setNoDelay(true);
      const answer = await exchange(socket, sending);
      const usable = typeof answer !== 'string' && answer.headers.connection !== 'close';
      if (!usable) socket.destroy();
      kept = usable ? socket : null;
      // A server may close an idle connection at any time; only a new one shows what this request causes.
      return reused && typeof answer === 'string' ? this.ask(sending) : answer;
    },
    close: () => kept?.destroy(),
  };
}

export type Wire = ReturnType<typeof createWire>;

function exchange(socket: Socket, { method, bytes, hangUp }: Sending): Promise<Answer | string> {
  return new Promise(resolve => {
    let received: Buffer = Buffer.alloc(0);
    const timer = setTimeout(() => finish('no answer in time'), timeoutMs);
    const finish = (result: Answer | string) => {
      clearTimeout(timer);
      socket.off('data', onData).off('close', onClose).off('end', onClose);
      resolve(result);
    };
    const onData = (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const answer = readAnswer(received, method, false);
      if (answer) finish(answer);
    };
    const onClose = () => finish(readAnswer(received, method, true) ?? 'connection closed without an answer');
    socket.on('data', onData).on('close', onClose).on('end', onClose);
    if (socket.listenerCount('error') === 0) socket.on('error', () => {});
    if (hangUp) socket.end(bytes);
    else socket.write(bytes);
  });
}

/** The first final response in these bytes, or null while it is incomplete. */
function readAnswer(bytes: Buffer, method: string, ended: boolean): Answer | null {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const [statusLine = '', ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n');
  const status = Number(statusLine.split(' ')[1]);
  const rest = bytes.subarray(headEnd + 4);
  if (status < 200) return readAnswer(rest, method, ended);
  const headers = Object.fromEntries(
    lines.map(line => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  // A response to HEAD and a 304 have no body, whatever their headers say.
  if (method === 'HEAD' || status === 304) return { status, headers, body: Buffer.alloc(0) };
  const body = readBody(rest, headers, ended);
  return body && { status, headers, body };
}

function readBody(bytes: Buffer, headers: Record<string, string>, ended: boolean): Buffer | null {
  if (headers['transfer-encoding'] === 'chunked') return readChunks(bytes);
  const length = headers['content-length'];
  if (length === undefined) return ended ? bytes : null;
  return bytes.length >= Number(length) ? bytes.subarray(0, Number(length)) : null;
}

function readChunks(bytes: Buffer): Buffer | null {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return null;
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16);
    if (size === 0) return Buffer.concat(chunks);
    at = lineEnd + 2 + size + 2;
    if (bytes.length < at) return null;
    chunks.push(bytes.subarray(lineEnd + 2, at - 2));
  }
}
