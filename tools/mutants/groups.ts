/** Code that much leans on: files that are mutated, and the tests of pure code that hold them. */
export type Group = { readonly files: readonly string[]; readonly tests: readonly string[] };

const server = 'apps/server/src';
const contract = 'packages/contract/src';
const sdk = 'packages/sdk/src';

/** `elsewhere` are the tests of those files that have none beside them. */
const group = (files: readonly string[], elsewhere: Readonly<Record<string, string>> = {}): Group => ({
  files: files.map(file => `${file}.ts`),
  tests: files.map(file => `${elsewhere[file] ?? file}.test.ts`),
});

export const groups: Readonly<Record<string, Group>> = {
  signing: group([`${server}/webhooks/signature`, `${server}/webhooks/secret`, `${sdk}/webhooks`]),
  guard: group([
    `${server}/webhooks/address-guard`,
    `${server}/webhooks/resolver`,
    `${server}/kernel/client-address`,
  ]),
  keys: group([`${server}/accounts/api-key`]),
  limiter: group([`${server}/kernel/sliding-windows`, `${server}/limits/window-verdict`]),
  counting: group(
    [
      `${server}/scans/counting-rule`,
      `${server}/scans/agents`,
      `${server}/ingest/check`,
      `${server}/ingest/judging`,
    ],
    { [`${server}/scans/agents`]: `${server}/scans/counting-rule` },
  ),
  urls: group([`${server}/qrcodes/destination`, `${server}/qrcodes/own-addresses`, `${contract}/urls`]),
  pages: group([`${server}/kernel/page`, `${server}/live/cursor`, `${contract}/pages`, `${sdk}/pages`], {
    [`${sdk}/pages`]: `${sdk}/signpost`,
  }),
};
