import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How far one connection has come with what it sent in one go. */
type Pace = {
  /** Requests that began in what was read last. */
  begun: number;
  /** Requests that were sent behind another and have no answer yet. */
  outstanding: number;
  onAnswer: () => void;
};

/** What the parser gets at once: a few requests, one or two where they come in heaps, more of a body. */
const [sliceBytes, heapSliceBytes, bodySliceBytes] = [512, 128, 8192];
const empty: Buffer = Buffer.alloc(0);
const endOfHead = '\r\n\r\n';
/** What Node reads at once at most, and does 32 times in a turn: more comes from a connection that fills it. */
const fullRead = 65_536;
const fullReadsATurn = 2;
/** A connection with more answers outstanding is not read on. */
const mostOutstanding = 16;

/**
 * Lets a connection that sends many requests in one go wait for its own answers. Node hands a parser up to 64 kB at a time,
 * which is more than a thousand small requests, and meanwhile nobody else gets a turn.
 */
export function boundPipelining(server: Server): void {
  const paces = new WeakMap<Socket, Pace>();
  server.on('connection', (socket: Socket) => {
    const pace = setPace(socket);
    if (pace) paces.set(socket, pace);
  });
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const pace = paces.get(request.socket);
    if (!pace) return;
    pace.begun++;
    // It has the socket, so nothing is outstanding before it. Clients that wait for each answer pay for no more than this.
    if (response.socket) return;
    pace.outstanding++;
    response.once('close', () => {
      pace.outstanding--;
      pace.onAnswer();
    });
  });
}

function setPace(socket: Socket): Pace | null {
  const [parse, ...others] = socket.listeners('data') as ((data: Buffer) => void)[];
  if (!parse || others.length > 0) return null;
  const pace: Pace = { begun: 0, outstanding: 0, onAnswer };
  let rest: Buffer = empty;
  let fullReads = 0;
  /** The parser waits for room to put answers in, and starts by itself. */
  let waitsFor: 'turn' | 'answers' | 'parser' | null = null;

  function take(data: Buffer): void {
    if (!socket.writable) return;
    rest = rest.length > 0 ? Buffer.concat([rest, data]) : data;
    if (waitsFor === null) readOn();
    if (data.length === fullRead && ++fullReads % fullReadsATurn === 0 && waitsFor === null) wait('turn');
  }

  function readOn(): void {
    let bytes = pace.begun > 1 ? heapSliceBytes : sliceBytes;
    // After an answer that closes the connection nothing more is read.
    while (rest.length > 0 && waitsFor === null && socket.writable) {
      pace.begun = 0;
      const slice = sliceOf(rest, bytes);
      rest = rest.subarray(slice.length);
      parse!.call(socket, slice);
      bytes = pace.begun === 0 ? bodySliceBytes : sliceBytes;
      if (socket.isPaused()) wait('parser');
      else if (pace.outstanding > mostOutstanding) wait('answers');
      else if (pace.begun > 1) wait('turn');
    }
  }

  /** What is left goes back to the socket, which hands it out again, and tells of its end only afterwards. */
  function wait(what: 'turn' | 'answers' | 'parser'): void {
    waitsFor = what;
    socket.pause();
    if (rest.length > 0) socket.unshift(rest);
    rest = empty;
    // Node may have started it meanwhile, and stopped it again for reasons of its own.
    if (what === 'turn') setImmediate(() => waitsFor === 'turn' && socket.resume());
  }

  function onAnswer(): void {
    if (waitsFor === 'answers' && pace.outstanding <= mostOutstanding) wait('turn');
  }

  socket.removeListener('data', parse);
  socket.on('data', take);
  socket.on('resume', () => {
    if (!socket.isPaused()) waitsFor = null;
  });
  return pace;
}

/** Ends behind a request where it can: half of one would be timed as if the client were slow. */
function sliceOf(data: Buffer, bytes: number): Buffer {
  if (data.length <= bytes) return data;
  const end = data.subarray(0, bytes).lastIndexOf(endOfHead);
  return data.subarray(0, end < 0 ? bytes : end + endOfHead.length);
}
