import type { Me } from '@signpost/contract';

declare global {
  interface Window {
    signpostMe?: Promise<Me | undefined>;
  }
}

/** The answer that public/start.js asked for while the dashboard was loading; once. Undefined where it was refused. */
export async function takeEarlyMe(): Promise<Me | undefined> {
  const asked = window.signpostMe;
  delete window.signpostMe;
  return await asked;
}
