import type { BulkResult } from '@signpost/contract';
import type { Style } from '@signpost/qr';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { currentMode, type Mode } from '../../api/mode.ts';
import { pathOf } from '../../api/paths.ts';
import { request } from '../../api/request.ts';
import { afterFailure, type Batch, batchesOf, bodyOf, type Created, outcomeOf } from './batches.ts';
import type { ImportRow } from './import-row.ts';

/** What the page says about the codes that are being made. */
export type Sending =
  | {
      readonly state: 'idle';
      readonly refusal?: unknown;
      /** Rows that the server would refuse. Nothing was created. */
      readonly found?: number;
    }
  | {
      readonly state: 'running';
      /** All rows are checked before the first code is made. */
      readonly isCheck: boolean;
      readonly done: number;
      readonly total: number;
      readonly stopping: boolean;
      /** Until when the limit of the plan makes it wait, in milliseconds. */
      readonly waitUntil?: number;
    }
  /** The last batch may have been carried out: only the same call again tells. */
  | { readonly state: 'interrupted'; readonly done: number; readonly total: number; readonly error: unknown };

type Run = {
  readonly mode: Mode;
  readonly style: Style;
  readonly total: number;
  batches: readonly Batch[];
  unchecked: readonly Batch[];
  found: number;
  done: number;
  stopping: boolean;
};

type Outcome = (batch: Batch, created: readonly Created[], refused: readonly ImportRow[]) => void;

const timeoutMs = 120_000;
const retryAfterMs = 1000;

/** Sends rows in batches, one after another, and tells what became of each. Nothing is sent twice under another key. */
export function useSending(onOutcome: Outcome, onRefused: (rows: readonly ImportRow[]) => void) {
  const [sending, setSending] = useState<Sending>({ state: 'idle' });
  const run = useRef<Run | null>(null);
  const left = useRef<AbortController>(new AbortController());
  useEffect(() => {
    left.current = new AbortController();
    return () => left.current.abort();
  }, []);

  const show = ({ done, total, stopping, unchecked }: Run, waitUntil?: number) =>
    setSending({
      state: 'running',
      isCheck: unchecked.length > 0,
      done: unchecked.length > 0 ? total - sizeOf(unchecked) : done,
      total,
      stopping,
      ...(waitUntil === undefined ? {} : { waitUntil }),
    });

  /** Sends the next batch until there is none, or something stands in the way. */
  async function carryOn(current: Run): Promise<void> {
    while (current.batches.length > 0 && !current.stopping) {
      const isCheck = current.unchecked.length > 0;
      const [batch] = (isCheck ? current.unchecked : current.batches) as readonly [Batch];
      show(current);
      try {
        if (currentMode() !== current.mode) throw new OtherMode(current.mode);
        if (isCheck) {
          const { refused } = outcomeOf(batch, await check(batch, current.style, left.current.signal));
          current.unchecked = current.unchecked.slice(1);
          current.found += refused.length;
          if (refused.length > 0) onRefused(refused);
          if (current.unchecked.length > 0 || current.found === 0) continue;
          run.current = null;
          setSending({ state: 'idle', found: current.found });
          return;
        }
        const result = await post(batch, current.style, left.current.signal);
        const { created, refused } = outcomeOf(batch, result);
        current.batches = current.batches.slice(1);
        current.done += batch.rows.length;
        onOutcome(batch, created, refused);
      } catch (error) {
        if (left.current.signal.aborted) return;
        const next = afterFailure(error);
        if (next === 'wait') {
          const ms = waitOf(error);
          show(current, Date.now() + ms);
          await pause(ms, left.current.signal);
          if (left.current.signal.aborted) return;
          continue;
        }
        if (next === 'ask_again') {
          setSending({ state: 'interrupted', done: current.done, total: current.total, error });
          return;
        }
        run.current = null;
        setSending({ state: 'idle', refusal: error });
        return;
      }
    }
    run.current = null;
    setSending({ state: 'idle' });
  }

  return {
    sending,
    start(rows: readonly ImportRow[], style: Style, batchSize: number): void {
      if (run.current) return;
      const batches = batchesOf(rows, batchSize);
      run.current = {
        mode: currentMode(),
        style,
        batches,
        unchecked: batches,
        found: 0,
        total: rows.length,
        done: 0,
        stopping: false,
      };
      void carryOn(run.current);
    },
    retry(): void {
      if (run.current && sending.state === 'interrupted') void carryOn(run.current);
    },
    stop(): void {
      if (!run.current) return;
      run.current.stopping = true;
      setSending(now => (now.state === 'running' ? { ...now, stopping: true } : now));
    },
  };
}

/** The person has switched between live and test; the rows belong to where they began. */
export class OtherMode extends Error {
  readonly mode: Mode;
  constructor(mode: Mode) {
    super(`The import belongs to ${mode} mode.`);
    this.mode = mode;
  }
}

const sizeOf = (batches: readonly Batch[]): number => batches.reduce((sum, { rows }) => sum + rows.length, 0);

/** What would become of a batch. */
async function check(batch: Batch, style: Style, left: AbortSignal): Promise<BulkResult> {
  const response = await request('POST', pathOf('bulkCreateQrCodes'), {
    body: { ...bodyOf(batch, style), dry_run: true },
    signal: left,
    timeoutMs,
  });
  return (await response.json()) as BulkResult;
}

async function post(batch: Batch, style: Style, left: AbortSignal): Promise<BulkResult> {
  const response = await request('POST', pathOf('bulkCreateQrCodes'), {
    body: bodyOf(batch, style),
    idempotencyKey: batch.key,
    signal: left,
    timeoutMs,
  });
  return (await response.json()) as BulkResult;
}

const waitOf = (error: unknown): number =>
  error instanceof ApiError && error.retryAfterSeconds ? error.retryAfterSeconds * 1000 : retryAfterMs;

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
