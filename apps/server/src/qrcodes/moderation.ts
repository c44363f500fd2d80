import type { Mode, Operator } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids, Uuid } from '../kernel/ids.ts';
import type { Database } from '../platform/postgres.ts';
import { addHost, listHosts, removeHost } from './block-list.ts';
import { type BlockedHost, leadsTo } from './blocked-host.ts';
import { createRecorder } from './edits.ts';
import { change, type QrCode, type Status } from './qr-code.ts';
import type { LinkDropper } from './service.ts';
import { foldShortCode } from './short-code.ts';
import * as statements from './statements.ts';
import { updateCode } from './store.ts';

type Parts = {
  readonly db: Database;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly links: LinkDropper;
};

/** How far a walk through all codes is. */
export type Progress = { readonly looked: number; readonly paused: number };

export type Moderation = ReturnType<typeof createModeration>;

/** How many codes are read at a time, and how many of those that lead to the host are paused before redirects are told. */
const batchSize = 5000;
const groupSize = 100;
/** Pauses at the same time. Those of one account wait for each other. */
const atOnce = 4;

const operator: Operator = { kind: 'operator', id: null };
const nilId: Uuid = '00000000-0000-0000-0000-000000000000';

/** What the operator does about codes of others. */
export function createModeration({ db, ids, clock, links }: Parts) {
  const record = createRecorder(ids, operator);

  /** Whether it was active and is paused now. Looked at again under its lock: its owner may just have changed it. */
  async function pause(found: FoundCode, isMeant: (code: QrCode) => boolean): Promise<boolean> {
    let paused = false;
    const decide = (code: QrCode) => {
      paused = code.status === 'active' && isMeant(code);
      return paused ? change(code, { active: false }, clock.now()) : code;
    };
    const owner = { accountId: found.account_id, mode: found.mode };
    await updateCode(db, owner, found.id, { counts: true, leads: false }, decide, record);
    return paused;
  }

  /**
   * Those that are paused already are dropped with the others: a run that was cut off may have paused them without
   * having told every redirect.
   */
  async function pauseGroup(group: readonly FoundCode[], host: string): Promise<number> {
    let paused = 0;
    const waiting = group.filter(code => code.status === 'active').values();
    const pauseNext = async () => {
      for (const code of waiting) {
        if (await pause(code, ({ destinationUrl }) => leadsTo(destinationUrl, host))) paused++;
      }
    };
    await Promise.all(Array.from({ length: atOnce }, pauseNext));
    await links.drop(group.map(code => foldShortCode(code.short_code)));
    return paused;
  }

  return {
    /** When this resolves, no code is made, changed or resumed any more that leads there. */
    block: (host: string, reason: string | null): Promise<void> => addHost(db, host, reason, clock.now()),

    unblock: (host: string): Promise<boolean> => removeHost(db, host),

    blockedHosts: (): Promise<readonly BlockedHost[]> => listHosts(db),

    /** Pauses what leads to a host, of every account in both modes. No redirect sends anybody there when it resolves. */
    async pauseAll(host: string, onProgress: (progress: Progress) => void): Promise<Progress> {
      let progress: Progress = { looked: 0, paused: 0 };
      let after = nilId;
      for (;;) {
        const batch = await db.query<FoundCode>(statements.walkCodes, [after, batchSize]);
        const meant = batch.filter(code => leadsTo(code.destination_url, host));
        for (let from = 0; from < meant.length; from += groupSize) {
          const paused = await pauseGroup(meant.slice(from, from + groupSize), host);
          progress = { ...progress, paused: progress.paused + paused };
          onProgress(progress);
        }
        progress = { ...progress, looked: progress.looked + batch.length };
        onProgress(progress);
        if (batch.length < batchSize) return progress;
        after = batch.at(-1)!.id;
      }
    },

    /** Pauses one code of anybody. Where it leads, so that the operator sees whether it is the right one. */
    async pauseCode(shortCode: string): Promise<{ readonly paused: boolean; readonly destination: string }> {
      const [found] = await db.query<FoundCode>(statements.findByShortCode, [foldShortCode(shortCode)]);
      if (!found)
        throw new AppError('not_found', `No code has the short code ${shortCode}. Look at the report again.`);
      if (found.status === 'deleted') throw refused(`${shortCode} was deleted. It leads nowhere any more.`);
      if (found.status === 'draft')
        throw refused(`${shortCode} is a draft. It leads nowhere until it is published.`);
      const paused = await pause(found, () => true);
      await links.drop([foldShortCode(shortCode)]);
      return { paused, destination: found.destination_url };
    },
  };
}

const refused = (reason: string) => new AppError('invalid_transition', reason);

type FoundCode = {
  readonly id: Uuid;
  readonly account_id: Uuid;
  readonly mode: Mode;
  readonly status: Status | 'deleted';
  readonly short_code: string;
  readonly destination_url: string;
};
