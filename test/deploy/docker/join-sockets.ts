import type { Socket } from 'node:net';

/** Passes on what either side sends, until both have ended. */
export function joinSockets(one: Socket, other: Socket): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.pipe(to);
    from.on('error', () => to.destroy());
  }
}
