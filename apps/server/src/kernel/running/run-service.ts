import type { Lifecycle } from './lifecycle.ts';

/** Something that works beside the requests, from its start to its stop. */
export type Service = {
  start(): void;
  /**
   * Begins nothing new. Called for all services at once when the process starts to end: each then waits for its last piece
   * of work beside the others, and not after them.
   */
  drain?(): void;
  stop(): unknown;
};

/** Starts a service when the process has started, and stops it when the process ends. */
export function runService(
  lifecycle: Pick<Lifecycle, 'defer' | 'onClosing' | 'whenStarted'>,
  name: string,
  service: Service,
): void {
  lifecycle.whenStarted(() => service.start());
  lifecycle.onClosing(() => service.drain?.());
  lifecycle.defer(name, () => service.stop());
}
