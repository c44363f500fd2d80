import type { Mode } from '../../../apps/server/src/kernel/caller.ts';
import { createIds, type Uuid } from '../../../apps/server/src/kernel/ids.ts';
import { defaultFields, type Scan } from '../../../apps/server/src/scans/scan.ts';
import type { ExampleCode } from './codes.ts';
import { phones, places } from './places.ts';
import type { Random } from './random.ts';

const [hourMs, dayMs] = [3_600_000, 86_400_000];

/** Share of each hour of the day, in UTC: for a café, for homes, for offices. */
const hours: Readonly<Record<ExampleCode['hours'], readonly number[]>> = {
  café: [0, 0, 0, 0, 0, 2, 6, 10, 9, 8, 9, 11, 10, 8, 9, 8, 5, 3, 1, 1, 0, 0, 0, 0],
  evening: [1, 0, 0, 0, 0, 1, 2, 3, 3, 4, 4, 5, 5, 5, 5, 6, 8, 10, 11, 11, 8, 5, 3, 1],
  office: [0, 0, 0, 0, 0, 1, 3, 8, 11, 12, 11, 8, 9, 10, 10, 8, 5, 2, 1, 1, 0, 0, 0, 0],
};

/** Sunday first. */
const weekdays: Readonly<Record<ExampleCode['hours'], readonly number[]>> = {
  café: [1.35, 0.75, 0.8, 0.85, 0.95, 1.15, 1.5],
  evening: [1.2, 0.9, 0.85, 0.9, 0.95, 1.05, 1.15],
  office: [0.3, 1.2, 1.3, 1.25, 1.2, 1, 0.4],
};

type Owner = { readonly accountId: Uuid; readonly mode: Mode; readonly windowKind: 'month' | 'day' };

/** Scans of one code from its creation to now, in order of time. */
export function scansOf(
  code: ExampleCode,
  qrCodeId: Uuid,
  owner: Owner,
  nowMs: number,
  random: Random,
): Scan[] {
  const scans: Scan[] = [];
  const times: number[] = [];
  const firstDay = Math.floor((nowMs - code.made * dayMs) / dayMs);
  const lastDay = Math.floor(nowMs / dayMs) - (code.end === 'paused' ? 20 : 0);
  for (let day = firstDay; day <= lastDay; day++) {
    const curve = hours[code.hours];
    const share = curve.reduce((sum, one) => sum + one, 0);
    for (const [hour, weight] of curve.entries()) {
      const count = random.count((expected(code, day, firstDay, nowMs) * weight) / share);
      for (let n = 0; n < count; n++) times.push(day * dayMs + (hour + random.next()) * hourMs);
    }
  }
  const visitors = new Map<string, Visitor[]>();
  let atMs = 0;
  const ids = createIds({ now: () => new Date(atMs) });
  for (const time of times.filter(one => one < nowMs).sort((a, b) => a - b)) {
    atMs = Math.floor(time);
    const { accountId, mode } = owner;
    const window = new Date(atMs).toISOString().slice(0, owner.windowKind === 'month' ? 7 : 10);
    scans.push({
      id: ids.next(),
      qrCodeId,
      accountId,
      mode,
      atMs,
      window,
      ...defaultFields,
      ...visitorOf(visitors, window, random),
    });
  }
  return scans;
}

/** Scans a day: growing slowly, by weekday, more in summer and before Christmas, and far more in a campaign. */
function expected(
  { perDay, hours: kind, spike }: ExampleCode,
  day: number,
  firstDay: number,
  nowMs: number,
): number {
  const date = new Date(day * dayMs);
  const season = 1 + 0.22 * Math.cos(((date.getUTCMonth() + date.getUTCDate() / 31 - 7) / 12) * 2 * Math.PI);
  const grown = Math.min(1, 0.25 + (day - firstDay) / 40);
  const ago = Math.floor(nowMs / dayMs) - day;
  const inSpike = spike && ago <= spike.ago && ago > spike.ago - spike.days;
  const fading = inSpike ? 1 - (spike.ago - ago) / (spike.days * 1.5) : 0;
  return (
    perDay * season * grown * weekdays[kind][date.getUTCDay()]! * (inSpike ? 1 + spike.times * fading : 1)
  );
}

type Visitor = Pick<Scan, 'visitor' | 'country' | 'region' | 'city' | 'device' | 'browser' | 'language'>;

/** A new visitor, or one seen before in the window: about every third returns. */
function visitorOf(known: Map<string, Visitor[]>, window: string, random: Random): Visitor {
  const before = known.get(window) ?? [];
  if (before.length > 3 && random.next() < 0.32) return before[Math.floor(random.next() * before.length)]!;
  const [device, browser] = random.pick(phones);
  const visitor = { visitor: random.hex(16), ...random.pick(places), device, browser };
  known.set(window, [...(before.length > 400 ? before.slice(1) : before), visitor]);
  return visitor;
}
