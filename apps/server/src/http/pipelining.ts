import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTurns } from '../kernel/turns.ts';

/** How far one connection has come with what it sent in one go. */
type Pace = {
  /** Requests that began in what was read last. */
  begun: number;
  /** Requests that were sent behind another and have no answer yet. */
  outstanding: number;
  onAnswer: () => void;
};

/** What the parser gets at once: a few requests, fewer where they come in heaps, more of a body. */
const [sliceBytes, heapSliceBytes, bodySliceBytes] = [512, 256, 8192];
const empty: Buffer = Buffer.alloc(0);
const endOfHead = '\r\n\r\n';
/** Node reads 64 kB up to 32 times a turn: a connection that sends this much at once gets two reads, then waits its turn. */
const bulkRead = 8192;
const bulkReadsATurn = 2;
/** A connection with more answers outstanding is not read on. */
const mostOutstanding = 16;

/** All connections that send in heaps share one line: a piece of one of them every millisecond, and the rest is for others. */
const heaps = createTurns(() => sleep(1));

/**
 * Lets a connection that sends many requests, or much of a body, in one go wait for its own answers and for its turn. Node hands a
 * parser up to 64 kB at a time, which is more than a thousand small requests, and meanwhile nobody else gets a turn.
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
  let bulkReads = 0;
  /** The parser waits for room to put answers in, and starts by itself. */
  let waitsFor: 'turn' | 'answers' | 'parser' | null = null;

  function take(data: Buffer): void {
    if (!socket.writable) return;
    // The parser has started the socket: its data may come before the event that says so.
    if (waitsFor === 'parser') waitsFor = null;
    if (waitsFor !== null) {
      // Node starts it too whenever somebody reads a body; the turn is waited for all the same.
      putBack(data);
      return;
    }
    rest = data;
    readOn();
    if (data.length >= bulkRead && ++bulkReads % bulkReadsATurn === 0 && waitsFor === null) wait('turn');
  }

  /** The socket hands it out again, and tells of its end only afterwards. */
  function putBack(data: Buffer): void {
    socket.pause();
    if (data.length > 0) socket.unshift(data);
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

  function wait(what: 'turn' | 'answers' | 'parser'): void {
    waitsFor = what;
    putBack(rest);
    rest = empty;
    if (what === 'turn') void heaps.run(goOn);
  }

  function goOn(): void {
    if (waitsFor !== 'turn') return;
    waitsFor = null;
    socket.resume();
  }

  function onAnswer(): void {
    if (waitsFor === 'answers' && pace.outstanding <= mostOutstanding) wait('turn');
  }

  socket.removeListener('data', parse);
  socket.on('data', take);
  socket.on('resume', () => {
    if (waitsFor === 'parser') waitsFor = null;
    else if (waitsFor !== null) socket.pause();
  });
  return pace;
}

/** Ends behind a request where it can: half of one would be timed as if the client were slow. */
function sliceOf(data: Buffer, bytes: number): Buffer {
  if (data.length <= bytes) return data;
  const end = data.subarray(0, bytes).lastIndexOf(endOfHead);
  return data.subarray(0, end < 0 ? bytes : end + endOfHead.length);
}
