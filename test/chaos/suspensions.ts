import { setTimeout as sleep } from 'node:timers/promises';
import { ids } from '@signpost/testing/scan-ledger.ts';
import { formatId, parseId, type Uuid } from '../../apps/server/src/kernel/ids.ts';
import type { Database } from '../../apps/server/src/platform/postgres/postgres.ts';
import { deriveEventId, messageId } from '../../apps/server/src/webhooks/event.ts';
import { publishSuspended } from '../../apps/server/src/webhooks/publish-events.ts';

const reason = 'It leads to phishing.';

/**
 * Suspends codes one after another, each in its own transaction that also publishes the event. A commit without an answer is
 * retried, as an operator would: the code is suspended once and published once. Returns how many commits were confirmed.
 */
export async function suspendCodes(
  db: Database,
  accountId: Uuid,
  count: number,
  isKilling: () => boolean,
): Promise<number> {
  let answered = 0;
  while (answered < count) {
    // The last kill still hits some of them.
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
      const inserted = await tx.query(addSuspension, [id, accountId, qrCodeId, reason, suspendedAt]);
      if (inserted.length === 0) return;
      await publishSuspended(tx, [{ qrCodeId, accountId, mode: 'live', reason, suspendedAt }]);
    });
    return true;
  } catch {
    return false;
  }
}

type Suspended = { readonly qr_code_id: Uuid; readonly suspended_at: Date };

/** What was committed: the truth that deliveries are compared with. */
export const readSuspensions = (db: Database): Promise<readonly Suspended[]> =>
  db.query<Suspended>({ name: 'chaos-suspended', text: 'select qr_code_id, suspended_at from suspensions' });

/** The endpoint and the code of each expected delivery, by message id. */
export function toldOf(suspended: readonly Suspended[], endpoints: readonly string[]): Map<string, string> {
  return new Map(
    suspended.flatMap(({ qr_code_id: code, suspended_at: at }) =>
      endpoints.map((endpoint, n) => {
        const eventId = deriveEventId(at, 'qrcode.suspended', code, reason);
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
