import { type Receiver, startReceiver } from '@signpost/testing/receiver.ts';

/** A server that receives webhooks and refuses one in a hundred at the first attempt. */
export type WebhookReceiver = {
  readonly url: string;
  /** The scans that arrived, by code id. */
  readonly arrived: ReadonlyMap<string, ReadonlySet<string>>;
  close(): Promise<void>;
};

const refusedOf = 100;

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const arrived = new Map<string, Set<string>>();
  const refused = new Set<string>();
  let turn = 0;
  const receiver: Receiver = await startReceiver(({ id, body }, response) => {
    // Otherwise the list of arrivals would grow for the whole run.
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
