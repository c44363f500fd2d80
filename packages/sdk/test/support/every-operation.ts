import { Signpost } from '@signpost/sdk';

/** Uses every operation of the service once, and prints each request with its status. It runs in a project of a stranger. */
const connect = (apiKey: string) =>
  new Signpost({
    apiKey,
    baseUrl: process.env.SIGNPOST_URL!,
    async fetch(url, init) {
      const response = await fetch(url, init);
      console.log(
        JSON.stringify({ method: init.method, path: new URL(url).pathname, status: response.status }),
      );
      return response;
    },
  });
const signpost = connect(process.env.SIGNPOST_KEY!);

function holds(condition: boolean, what: string): void {
  if (!condition) throw new Error(`It does not hold that ${what}`);
}

const menu = { name: 'Menu', destination_url: 'https://example.com/menu' };
const made = await signpost.qrcodes.create({ ...menu, style: { dotsType: 'rounded' } });
holds(made.active && made.total_scans === 0, 'a new code is active and without scans');

const bulk = await signpost.qrcodes.bulkCreate({ items: Array.from({ length: 5 }, () => menu) });
const last = bulk.data[4];
holds(
  bulk.created === 5 && last?.status === 'created' && last.qr_code.name === 'Menu',
  'five are made at once',
);

const { data: read, response, requestId } = await signpost.qrcodes.get(made.id).withResponse();
holds(read.id === made.id && requestId !== undefined, 'an answer comes with its response and request id');
holds(Number(response.headers.get('x-ratelimit-remaining')) >= 0, 'and with its rate limit');

const ids: string[] = [];
for await (const code of signpost.qrcodes.list({ limit: 2 })) ids.push(code.id);
holds(new Set(ids).size === 6 && ids.includes(made.id), 'iterating gives all six');

await fetch(new URL(made.short_code, process.env.SIGNPOST_URL), { redirect: 'manual' });
for (let tries = 0; (await signpost.qrcodes.get(made.id)).total_scans === 0; tries++) {
  holds(tries < 200, 'a scan is counted within ten seconds');
  await new Promise(resolve => setTimeout(resolve, 50));
}
const summary = await signpost.analytics.summary(made.id);
holds(summary.summary.total_scans === 1 && summary.devices.other === 1, 'the summary has the scan');
const scans = [];
for await (const scan of signpost.analytics.scans(made.id)) scans.push(scan);
holds(scans.length === 1 && scans[0]!.is_unique, 'the scan is listed');
const series = await signpost.analytics.timeseries(made.id, { interval: 'day' });
holds(series.data.at(-1)?.total_scans === 1, 'the series has the scan today');
const hours = await signpost.analytics.weekHours(made.id, { device: 'other' });
const scanned = hours.data.filter(hour => hour.total_scans === 1);
holds(hours.data.length === 168 && scanned.length === 1, 'one hour of the week has the scan');
const week = await signpost.analytics.aggregateWeekHours({ device: 'ios' });
holds(
  week.data.every(hour => hour.total_scans === 0),
  'no hour has a scan by a device that nobody used',
);
const csv = await (await signpost.analytics.export(made.id)).text();
holds(csv.split('\r\n')[1]?.startsWith(scans[0]!.id) === true, 'the export has the scan');
holds((await signpost.analytics.aggregate()).summary.total_scans === 1, 'the account has the scan');

const url = process.env.HOOK_URL!;
const hook = await signpost.webhooks.create({ url });
await signpost.webhooks.test(hook.id);
const delivered = async () => (await signpost.webhooks.deliveries(hook.id, { status: 'delivered' })).data[0];
let delivery = await delivered();
for (let tries = 0; !delivery; tries++, delivery = await delivered()) {
  holds(tries < 200, 'a test arrives within ten seconds');
  await new Promise(resolve => setTimeout(resolve, 50));
}
const sent = (await (await fetch(url)).json()) as { body: string; headers: Record<string, string> };
await signpost.webhooks.verify(sent.body, sent.headers, hook.secret);
holds((await signpost.webhooks.getDelivery(delivery.id)).id === delivery.id, 'a delivery is found by its id');
await signpost.webhooks.replayDelivery(delivery.id);
await signpost.webhooks.replayFailed(hook.id, { since: new Date(Date.now() - 60_000).toISOString() });
holds(
  (await signpost.webhooks.rotateSecret(hook.id, {})).secret !== hook.secret,
  'a rotation makes a new secret',
);
holds(!(await signpost.webhooks.update(hook.id, { enabled: false })).enabled, 'an update switches off');
holds((await signpost.webhooks.list()).data.length === 1, 'the webhook is listed');
holds((await signpost.webhooks.get(hook.id)).url === url, 'a read shows the address');
await signpost.webhooks.delete(hook.id);

const updated = await signpost.qrcodes.update(made.id, { name: 'Summer', active: false });
holds(updated.status === 'paused', 'an update pauses');
holds((await signpost.qrcodes.get(made.id)).name === 'Summer', 'a read shows the update');

const order = { ...menu, tags: ['Print', 'Table'], metadata: { branch: 'Hamburg' } };
const order1 = await signpost.qrcodes.upsert('ext:order/1', order);
holds(
  (await signpost.qrcodes.upsert('ext:order/1', { ...order, name: 'New' })).id === order1.id,
  'an upsert updates',
);
holds((await signpost.qrcodes.get('ext:order/1')).name === 'New', 'a code is found by its external id');
const walked: string[] = [];
for await (const code of signpost.qrcodes.list({ limit: 2, starting_after: order1.id })) walked.push(code.id);
holds(walked.length === 6 && new Set(walked).size === 6, 'iterating from a code gives all before it');
const tagged = await signpost.qrcodes.list({ tag: ['print', 'table'], include: 'tags' });
holds(tagged.data[0]?.tags?.length === 2 && tagged.data.length === 1, 'a list is filtered by tags');
const edited = await signpost.qrcodes.bulkEdit({ ids: [order1.id], set: { tags_remove: ['table'] } });
holds(edited.updated === 1, 'a bulk edit changes a code');
holds((await signpost.tags.update('print', { name: 'In print' })).qr_codes === 1, 'a tag is renamed');
await signpost.tags.delete('Table');
holds((await signpost.tags.list()).data.length === 1, 'one tag is left');
holds((await signpost.account.get()).used.tags === 1, 'the account counts it');
const log = await signpost.audit.events({ limit: 1000 });
holds(log.data[0]?.action === 'createQrCode', 'the audit log begins with the first code');
const feed = await signpost.analytics.accountScans({ limit: 10 });
holds(feed.data[0]?.qr_id === made.id && !feed.has_more, 'the feed has the scan');
holds(
  (await (await signpost.analytics.exportAll()).text()).includes(made.id),
  'the export of all codes has it too',
);
const dropped = await signpost.qrcodes.bulkDelete({ ids: [order1.id], expected_count: 1 });
holds(dropped.deleted === 1, 'a bulk delete deletes it');

const rules = [
  { name: 'Phones', when: { device: ['ios' as const] }, to: [{ url: 'https://example.com/app' }] },
];
await signpost.qrcodes.update(made.id, { rules, active: true });
const tried = await signpost.qrcodes.testRules(made.id, { device: 'ios' });
holds(tried.url === 'https://example.com/app', 'a rule leads a phone elsewhere');
await signpost.qrcodes.createPlacement(made.id, { key: 'door', name: 'Door' });
const tables = [1, 2].map(number => ({ key: `table-${number}`, name: `Table ${number}` }));
const placed = await signpost.qrcodes.bulkCreatePlacements(made.id, { items: tables });
holds(placed.created === 2 && placed.data[1]!.key === 'table-2', 'many placements are added in one call');
const renamed = await signpost.qrcodes.updatePlacement(made.id, 'door', { name: 'Back door' });
holds(renamed.name === 'Back door', 'a placement is renamed');
await signpost.qrcodes.deletePlacement(made.id, 'door');
const sandbox = connect(process.env.TEST_KEY!);
const trial = await sandbox.qrcodes.create(menu);
const testScans = await sandbox.qrcodes.sendTestScans({
  qr_id: trial.id,
  count: 20,
  unique: 5,
  country: 'DE',
});
holds(testScans.scans === 20 && testScans.visitors === 5, 'test scans are recorded');
const domains = await signpost.domains.list();
holds(domains.data.length === 0, 'an account has the domains that the operator adds');
const shared = await signpost.shareLinks.createForQrCode(made.id, { sections: ['chart'], days: 7 });
holds(shared.url.endsWith(shared.last_four) && shared.qr_id === made.id, 'a share link shows its URL once');
const ofAccount = await signpost.shareLinks.create({ title: 'All figures' });
const links = await signpost.shareLinks.list({ qr_id: made.id });
holds(links.data.length === 1 && links.data[0]!.id === shared.id, 'the share links of a code are listed');
for (const { id } of [shared, ofAccount])
  holds((await signpost.shareLinks.revoke(id)).revoked, 'a share link is revoked');

const image =
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAAUElEQVR42u3PQQkAAAgEsPvbxQb2r2UE38JgBZaafi0CAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICApcFbYxgatufPnMAAAAASUVORK5CYII=';
const asset = await signpost.assets.create({ image });
holds((await signpost.assets.list()).data.length === 1, 'a logo is listed');
holds((await signpost.assets.get(asset.id)).width === 64, 'a logo has its size');
holds((await signpost.assets.download(asset.id)).ok, 'a logo is downloaded');
const design = await signpost.designs.create({ name: 'Spring', style: { dotsColor: '#0B3D2E' } });
await signpost.designs.update(design.id, { name: 'Summer' });
holds((await signpost.designs.get(design.id)).name === 'Summer', 'a design is renamed');
holds((await signpost.designs.list()).data.length === 1, 'a design is listed');
const labels = await signpost.sheets.create({
  qr_ids: [made.id],
  layout: 'avery-l7160',
  design_id: design.id,
});
holds((await labels.text()).startsWith('%PDF'), 'a sheet is a PDF');
holds((await signpost.images.zip({ qr_ids: [made.id] })).ok, 'images come as a ZIP');
await signpost.designs.delete(design.id);
await signpost.assets.delete(asset.id);

const png = new Uint8Array(await (await signpost.qrcodes.download(made.id)).arrayBuffer());
holds(String.fromCharCode(...png.slice(1, 4)) === 'PNG', 'a download is a PNG');

const platform = connect(process.env.OPERATOR_KEY!);
const tenant = await platform.accounts.create({ name: 'Bakery', plan: 'free', external_id: 'customer-1' });
const tenantKey = await platform.accounts.createKey(tenant.id, {
  name: 'Till',
  mode: 'live',
  scopes: ['account:read'],
});
holds(
  (await connect(tenantKey.key).account.get()).id === tenant.id,
  'a key of a new account belongs to that account',
);
await platform.accounts.update(tenant.id, { suspension: { reason: 'Unpaid' } });
holds((await platform.accounts.get(tenant.id)).suspension?.reason === 'Unpaid', 'an account is suspended');
holds((await platform.accounts.list()).data.length === 1, 'a platform lists its accounts');

holds((await signpost.qrcodes.delete(made.id)).deleted, 'a delete says so');
holds('paths' in (await signpost.openapi.get()), 'the document has paths');
