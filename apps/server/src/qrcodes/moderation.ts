import { toLinkKey } from '../kernel/addresses/link-key.ts';
import type { Mode, Operator } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids, Uuid } from '../kernel/ids.ts';
import type { Page, Paged } from '../kernel/page.ts';
import { blockedHostReason } from '../moderation/suspensions/suspension.ts';
import { type CodeTargets, findTargets, noTargets } from '../moderation/targets.ts';
import type { BackgroundJob } from '../platform/background-jobs.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import type { CacheInvalidator } from '../redirect/changes/cache-invalidator.ts';
import type { StopNotifier } from '../redirect/changes/stops/stop.ts';
import { createEditRecorder } from './edits/edits.ts';
import { change, type QrCode, type Status } from './qr-code.ts';
import * as statements from './statements.ts';
import { updateCode } from './store.ts';
import type { BlockedHost } from './targets/blocked-host.ts';
import {
  addHost,
  type BlockedHostItem,
  claimHost,
  findHost,
  findReleasable,
  findUnmarked,
  listHosts,
  markHost,
  pageHosts,
  releaseHost,
  removeHost,
} from './targets/blocked-hosts.ts';

/** Marks the codes that lead to a host as suspended, or releases them, and returns how many. Both are idempotent. */
export type HostSuspender = {
  suspendByHost(host: string, reason: string, onProgress?: (suspended: number) => void): Promise<number>;
  releaseByHost(host: string, onProgress?: (released: number) => void): Promise<number>;
};

type Parts = {
  readonly db: Database;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly redirects: CacheInvalidator & StopNotifier;
  readonly suspender: HostSuspender;
};

export type Moderation = ReturnType<typeof createModeration>;

/** An older claim is taken over: its process has died. */
const claimMs = 1_800_000;

/** Targets that are shown of a paused code. */
const maxShownTargets = 20;

const operator: Operator = { kind: 'operator', id: null };

/** What the operator does about harmful codes. */
export function createModeration({ db, ids, clock, redirects, suspender }: Parts) {
  const editor = { ids, record: createEditRecorder(ids, operator) };

  /** Whether it was active and is paused now. Read again under its lock: its owner may just have changed it. */
  async function pause(found: FoundCode): Promise<boolean> {
    let paused = false;
    const decide = (code: QrCode) => {
      paused = code.status === 'active';
      return paused ? change(code, { active: false }, clock.now()) : code;
    };
    const owner = { accountId: found.account_id, mode: found.mode };
    await updateCode(db, owner, found.id, { changesCounts: true, changesTarget: false }, decide, editor);
    return paused;
  }

  const suspendAll: HostSuspender['suspendByHost'] = (host, reason, onProgress) =>
    markHost(db, host, () => suspender.suspendByHost(host, reason, onProgress));

  async function finishBlock(host: string): Promise<void> {
    const claimed = await claimHost(db, host, claimMs);
    if (!claimed) return;
    try {
      await suspendAll(host, blockedHostReason(host, claimed.ownerReason));
    } catch (error) {
      await releaseHost(db, host);
      throw error;
    }
  }

  return {
    /**
     * When this resolves, no code that leads there can be created, edited or resumed, and none redirects there. Returns the
     * reason that the owners of its codes are shown.
     */
    async block(host: string, reason: string | null): Promise<string> {
      const { ownerReason, changes } = await addHost(db, host, reason, clock.now());
      await redirects.notify(changes);
      return blockedHostReason(host, ownerReason);
    },

    /** Marks the codes that lead to a blocked host, of every account in both modes. */
    suspendAll,

    /** Whether it was blocked, and how many codes were released. They keep the status that their owners have set. */
    async unblock(
      host: string,
      onProgress?: (released: number) => void,
    ): Promise<{ readonly wasBlocked: boolean; readonly released: number }> {
      const changes = await removeHost(db, host, clock.now());
      if (changes) await redirects.notify(changes);
      return { wasBlocked: changes !== null, released: await suspender.releaseByHost(host, onProgress) };
    },

    blockedHosts: (): Promise<readonly BlockedHost[]> => listHosts(db),

    pageBlockedHosts: (page: Page): Promise<Paged<BlockedHostItem>> => pageHosts(db, page),

    blockedHost: (host: string): Promise<BlockedHostItem | null> => findHost(db, host),

    /**
     * Marks and releases the codes that were left: by a command that was interrupted, or because an old code had no target yet
     * when its host was blocked. If one host fails, the others are still done.
     */
    finishBlocksJob: (): BackgroundJob => ({
      name: 'suspend codes of blocked hosts',
      everyMs: 600_000,
      async run(signal) {
        const failures: unknown[] = [];
        const forEachHost = async (hosts: readonly string[], work: (host: string) => Promise<unknown>) => {
          for (const host of hosts) {
            if (signal.aborted) return;
            await work(host).catch(error => failures.push(error));
          }
        };
        await forEachHost(await findUnmarked(db), finishBlock);
        await forEachHost(await findReleasable(db), host => suspender.releaseByHost(host));
        if (failures.length > 0) throw failures[0];
        return false;
      },
    }),

    /**
     * Pauses one code of any account, named by the path of its short link. Returns where it leads, so that the operator can
     * check that it is the right one.
     */
    async pauseCode(name: string): Promise<{ readonly paused: boolean; readonly targets: CodeTargets }> {
      const [found] = await db.query<FoundCode>(statements.findByKey, [name.toLowerCase()]);
      if (!found)
        throw new AppError('not_found', `No code has the short link /${name}. Check the report again.`);
      if (found.status === 'deleted') throw refused(`${name} was deleted. It leads nowhere any more.`);
      if (found.status === 'draft')
        throw refused(`${name} is a draft. It leads nowhere until it is published.`);
      const paused = await pause(found);
      await redirects.invalidate([toKey(found)]);
      const targets = await findTargets(db, [found.id], { limit: maxShownTargets });
      return { paused, targets: targets.get(found.id) ?? noTargets };
    },
  };
}

const refused = (reason: string) => new AppError('invalid_transition', reason);

const toKey = ({ key_space: keySpace, short_code: shortCode }: FoundCode) =>
  toLinkKey({ keySpace, shortCode });

type FoundCode = {
  readonly id: Uuid;
  readonly account_id: Uuid;
  readonly mode: Mode;
  readonly status: Status | 'deleted';
  readonly key_space: string;
  readonly short_code: string;
};
