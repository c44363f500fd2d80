import { setTimeout as sleep } from 'node:timers/promises';
import { formatId, parseId, type Uuid } from '../../apps/server/src/kernel/ids.ts';
import type { Database } from '../../apps/server/src/platform/postgres.ts';
import { announceSuspended } from '../../apps/server/src/webhooks/announce-events.ts';
import { eventIdOf, messageId } from '../../apps/server/src/webhooks/event.ts';
import { ids } from '../support/scan-ledger.ts';

const reason = 'It leads to phishing.';

/**
 * Stops codes one after another, each in a transaction of its own that also announces it. One whose commit got no answer is
 * tried again, as whoever stops codes would: it is stopped once, and announced with that. How many were answered for.
 */
export async function suspendCodes(
  db: Database,
  accountId: Uuid,
  count: number,
  isKilling: () => boolean,
): Promise<number> {
  let answered = 0;
  while (answered < count) {
    // The last kill still meets some.
    if (isKilling() && answered >= count * 0.95) {
      await sleep(100);
      continue;
    }
    const [id, qrCodeId] = [ids.next(), ids.next()];
    while (!(await suspend(db, id, accountId, qrCodeId))) await sleep(100);
    answered++;
    await sleep(isKilling() ? 100 : 5);
  }
  return answered;
}

async function suspend(db: Database, id: Uuid, accountId: Uuid, qrCodeId: Uuid): Promise<boolean> {
  const suspendedAt = new Date();
  try {
    await db.transaction(async tx => {
      const made = await tx.query(addSuspension, [id, accountId, qrCodeId, reason, suspendedAt]);
      if (made.length === 0) return;
      await announceSuspended(tx, [{ qrCodeId, accountId, mode: 'live', reason, suspendedAt }]);
    });
    return true;
  } catch {
    return false;
  }
}

type Suspended = { readonly qr_code_id: Uuid; readonly suspended_at: Date };

/** What was committed: the truth that everything told is compared with. */
export const readSuspensions = (db: Database): Promise<readonly Suspended[]> =>
  db.query<Suspended>({ name: 'chaos-suspended', text: 'select qr_code_id, suspended_at from suspensions' });

/** By the id of the message: where it must arrive, and of which code. */
export function toldOf(suspended: readonly Suspended[], endpoints: readonly string[]): Map<string, string> {
  return new Map(
    suspended.flatMap(({ qr_code_id: code, suspended_at: at }) =>
      endpoints.map((endpoint, n) => {
        const eventId = eventIdOf(at, 'qrcode.suspended', code, reason);
        const id = messageId(eventId, parseId('whk', endpoint)!);
        return [formatId('msg', id), `/stopped-${n} ${formatId('qr', code)}`] as const;
      }),
    ),
  );
}

const addSuspension = {
  name: 'chaos-suspend',
  text: `insert into suspensions (id, account_id, qr_code_id, cause, reason, suspended_at) values ($1, $2, $3, 'operator', $4, $5)
         on conflict do nothing returning id`,
};
