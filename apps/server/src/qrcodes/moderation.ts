import type { Mode, Operator } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids, Uuid } from '../kernel/ids.ts';
import { linkKeyOf } from '../kernel/link-key.ts';
import type { Page, Paged } from '../kernel/page.ts';
import type { Chore } from '../platform/chores.ts';
import type { Database } from '../platform/postgres.ts';
import type { StopTeller } from '../stops/stop.ts';
import { toldOfHost } from '../suspensions/suspension.ts';
import {
  addHost,
  type BlockedHostItem,
  claimHost,
  findHost,
  findReleasable,
  findUnmarked,
  letGoOfHost,
  listHosts,
  markHost,
  pageHosts,
  removeHost,
} from './block-list.ts';
import type { BlockedHost } from './blocked-host.ts';
import { createRecorder } from './edits.ts';
import { change, type QrCode, type Status } from './qr-code.ts';
import type { LinkDropper } from './service.ts';
import * as statements from './statements.ts';
import { updateCode } from './store.ts';

/** Marks the codes that lead to a host as suspended, and releases them; how many. Either may be done again. */
export type HostSuspender = {
  suspendByHost(host: string, reason: string, onProgress?: (suspended: number) => void): Promise<number>;
  releaseByHost(host: string, onProgress?: (released: number) => void): Promise<number>;
};

type Parts = {
  readonly db: Database;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly redirects: LinkDropper & StopTeller;
  readonly suspender: HostSuspender;
};

export type Moderation = ReturnType<typeof createModeration>;

/** A claim is taken over when it is so old: its process is gone. */
const claimMs = 1_800_000;

const operator: Operator = { kind: 'operator', id: null };

/** What the operator does about codes of others. */
export function createModeration({ db, ids, clock, redirects, suspender }: Parts) {
  const record = createRecorder(ids, operator);

  /** Whether it was active and is paused now. Looked at again under its lock: its owner may just have changed it. */
  async function pause(found: FoundCode): Promise<boolean> {
    let paused = false;
    const decide = (code: QrCode) => {
      paused = code.status === 'active';
      return paused ? change(code, { active: false }, clock.now()) : code;
    };
    const owner = { accountId: found.account_id, mode: found.mode };
    await updateCode(db, owner, found.id, { counts: true, leads: false }, decide, record);
    return paused;
  }

  const suspendAll: HostSuspender['suspendByHost'] = (host, reason, onProgress) =>
    markHost(db, host, () => suspender.suspendByHost(host, reason, onProgress));

  async function finishBlock(host: string): Promise<void> {
    const claimed = await claimHost(db, host, claimMs);
    if (!claimed) return;
    try {
      await suspendAll(host, toldOfHost(host, claimed.ownerReason));
    } catch (error) {
      await letGoOfHost(db, host);
      throw error;
    }
  }

  return {
    /**
     * When this resolves, no code is made, changed or resumed any more that leads there, and no redirect sends anybody
     * there. Returns what the owners of codes that do are told.
     */
    async block(host: string, reason: string | null): Promise<string> {
      const { ownerReason, changes } = await addHost(db, host, reason, clock.now());
      await redirects.tell(changes);
      return toldOfHost(host, ownerReason);
    },

    /** Marks the codes that lead to a blocked host, of every account in both modes. */
    suspendAll,

    /** Whether it was blocked, and how many codes were released. They stay as their owners have set them. */
    async unblock(
      host: string,
      onProgress?: (released: number) => void,
    ): Promise<{ readonly was: boolean; readonly released: number }> {
      const changes = await removeHost(db, host, clock.now());
      if (changes) await redirects.tell(changes);
      return { was: changes !== null, released: await suspender.releaseByHost(host, onProgress) };
    },

    blockedHosts: (): Promise<readonly BlockedHost[]> => listHosts(db),

    pageBlockedHosts: (page: Page): Promise<Paged<BlockedHostItem>> => pageHosts(db, page),

    blockedHost: (host: string): Promise<BlockedHostItem | null> => findHost(db, host),

    /**
     * Marks and releases what was left: by a command that was cut off, or because a code from before the table of targets had
     * no target yet when its host was blocked. A host that fails is no reason to leave out the others.
     */
    finishesBlocks: (): Chore => ({
      name: 'suspend codes of blocked hosts',
      everyMs: 600_000,
      async run(signal) {
        const failures: unknown[] = [];
        const each = async (hosts: readonly string[], work: (host: string) => Promise<unknown>) => {
          for (const host of hosts) {
            if (signal.aborted) return;
            await work(host).catch(error => failures.push(error));
          }
        };
        await each(await findUnmarked(db), finishBlock);
        await each(await findReleasable(db), host => suspender.releaseByHost(host));
        if (failures.length > 0) throw failures[0];
        return false;
      },
    }),

    /**
     * Pauses one code of anybody, named as its short link has it behind the host. Where it leads, so that the operator sees
     * whether it is the right one.
     */
    async pauseCode(name: string): Promise<{ readonly paused: boolean; readonly destination: string }> {
      const [found] = await db.query<FoundCode>(statements.findByKey, [name.toLowerCase()]);
      if (!found)
        throw new AppError('not_found', `No code has the short link /${name}. Look at the report again.`);
      if (found.status === 'deleted') throw refused(`${name} was deleted. It leads nowhere any more.`);
      if (found.status === 'draft')
        throw refused(`${name} is a draft. It leads nowhere until it is published.`);
      const paused = await pause(found);
      await redirects.drop([keyOf(found)]);
      return { paused, destination: found.destination_url };
    },
  };
}

const refused = (reason: string) => new AppError('invalid_transition', reason);

const keyOf = ({ key_space: keySpace, short_code: shortCode }: FoundCode) =>
  linkKeyOf({ keySpace, shortCode });

type FoundCode = {
  readonly id: Uuid;
  readonly account_id: Uuid;
  readonly mode: Mode;
  readonly status: Status | 'deleted';
  readonly key_space: string;
  readonly short_code: string;
  readonly destination_url: string;
};
