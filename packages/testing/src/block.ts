/** Blocks the event loop, as a suspended process or a long task does. */
export function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}
