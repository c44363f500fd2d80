import { type Receiver, startReceiver } from '../support/receiver.ts';

/** Somebody's server that takes webhooks, and refuses one in a hundred the first time. */
export type Hook = {
  readonly url: string;
  /** By the id of its code, the scans that arrived. */
  readonly arrived: ReadonlyMap<string, ReadonlySet<string>>;
  close(): Promise<void>;
};

const refusedOf = 100;

export async function startHook(): Promise<Hook> {
  const arrived = new Map<string, Set<string>>();
  const refused = new Set<string>();
  let turn = 0;
  const receiver: Receiver = await startReceiver(({ id, body }, response) => {
    // Otherwise the list of all that ever arrived would grow here for as long as this runs.
    receiver.arrivals.length = 0;
    if (!refused.has(id) && turn++ % refusedOf === refusedOf - 1) {
      refused.add(id);
      response.writeHead(503).end();
      return;
    }
    const { qr_id, scan_id } = JSON.parse(body).data;
    arrived.set(qr_id, (arrived.get(qr_id) ?? new Set()).add(scan_id));
    response.writeHead(204).end();
  });
  return { url: `${receiver.url}/hook`, arrived, close: receiver.close };
}
