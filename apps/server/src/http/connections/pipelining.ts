import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createCpuQueue } from '../../kernel/running/cpu-queue.ts';

/** How far the server has come with what one connection sent at once. */
type Pace = {
  /** Requests that started in the last slice. */
  begun: number;
  /** Requests that were pipelined behind another and are not answered yet. */
  outstanding: number;
  onAnswer: () => void;
};

/** What the parser gets at once: a few requests, fewer if they are pipelined, more of a body. */
const [sliceBytes, pipelinedSliceBytes, bodySliceBytes] = [512, 256, 8192];
const empty: Buffer = Buffer.alloc(0);
const endOfHead = '\r\n\r\n';
/** Node reads 64 kB up to 32 times a turn: a connection that sends this much at once gets two reads, then waits. */
const bulkRead = 8192;
const bulkReadsPerTurn = 2;
/** A connection with more responses outstanding is not read further. */
const maxOutstanding = 16;

/** All connections that pipeline share one queue: a slice of one of them every millisecond, and the rest is for others. */
const pipelinedTurns = createCpuQueue(() => sleep(1));

/**
 * Makes a connection that sends many requests, or much of a body, at once wait for its own responses and for its turn.
 * Node hands the parser up to 64 kB at a time, which is more than a thousand small requests, and meanwhile no other
 * connection gets a turn.
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
    // It has the socket, so nothing is outstanding before it. Clients that do not pipeline pay for no more than this.
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
  /** `parser`: it waits for room to write responses, and resumes the socket itself. */
  let waitsFor: 'turn' | 'answers' | 'parser' | null = null;

  function take(data: Buffer): void {
    if (!socket.writable) return;
    // The parser has resumed the socket: data may arrive before the event that says so.
    if (waitsFor === 'parser') waitsFor = null;
    if (waitsFor !== null) {
      // Node also resumes the socket whenever a body is read; this connection still waits for its turn.
      putBack(data);
      return;
    }
    rest = data;
    readOn();
    if (data.length >= bulkRead && ++bulkReads % bulkReadsPerTurn === 0 && waitsFor === null) waitFor('turn');
  }

  /** The socket emits the data again, and its end only afterwards. */
  function putBack(data: Buffer): void {
    socket.pause();
    if (data.length > 0) socket.unshift(data);
  }

  function readOn(): void {
    let bytes = pace.begun > 1 ? pipelinedSliceBytes : sliceBytes;
    // After a response that closes the connection nothing more is read.
    while (rest.length > 0 && waitsFor === null && socket.writable) {
      pace.begun = 0;
      const slice = takeSlice(rest, bytes);
      rest = rest.subarray(slice.length);
      parse!.call(socket, slice);
      bytes = pace.begun === 0 ? bodySliceBytes : sliceBytes;
      if (socket.isPaused()) waitFor('parser');
      else if (pace.outstanding > maxOutstanding) waitFor('answers');
      else if (pace.begun > 1) waitFor('turn');
    }
  }

  function waitFor(cause: 'turn' | 'answers' | 'parser'): void {
    waitsFor = cause;
    putBack(rest);
    rest = empty;
    if (cause === 'turn') void pipelinedTurns.run(resume);
  }

  function resume(): void {
    if (waitsFor !== 'turn') return;
    waitsFor = null;
    socket.resume();
  }

  function onAnswer(): void {
    if (waitsFor === 'answers' && pace.outstanding <= maxOutstanding) waitFor('turn');
  }

  socket.removeListener('data', parse);
  socket.on('data', take);
  socket.on('resume', () => {
    if (waitsFor === 'parser') waitsFor = null;
    else if (waitsFor !== null) socket.pause();
  });
  return pace;
}

/** Ends behind a request if possible: half of one would be timed as if the client were slow. */
function takeSlice(data: Buffer, bytes: number): Buffer {
  if (data.length <= bytes) return data;
  const end = data.subarray(0, bytes).lastIndexOf(endOfHead);
  return data.subarray(0, end < 0 ? bytes : end + endOfHead.length);
}
