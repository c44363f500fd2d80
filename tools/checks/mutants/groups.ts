/** Critical code: the files to mutate, their unit tests, and how many of 100 mutants these must find. */
export type Group = {
  readonly files: readonly string[];
  readonly tests: readonly string[];
  readonly aim: number;
};

const server = 'apps/server/src';
const contract = 'packages/contract/src';
const sdk = 'packages/sdk/src';

/** `elsewhere` names the tests of files without a test beside them. */
const group = (
  files: readonly string[],
  elsewhere: Readonly<Record<string, string>> = {},
  aim = 80,
): Group => ({
  files: files.map(file => `${file}.ts`),
  tests: files.map(file => `${elsewhere[file] ?? file}.test.ts`),
  aim,
});

export const groups: Readonly<Record<string, Group>> = {
  signing: group([`${server}/webhooks/delivery/signature`, `${server}/webhooks/secret`, `${sdk}/webhooks`]),
  guard: group([
    `${server}/webhooks/address-guard`,
    `${server}/webhooks/resolver`,
    `${server}/kernel/client-address`,
  ]),
  keys: group([`${server}/accounts/api-key`]),
  limiter: group([`${server}/limits/sliding-windows`, `${server}/limits/window-decision`]),
  counting: group(
    [
      `${server}/scans/counting-rule`,
      `${server}/scans/agents`,
      `${server}/ingest/check`,
      `${server}/ingest/classify`,
    ],
    { [`${server}/scans/agents`]: `${server}/scans/counting-rule` },
  ),
  rules: group(
    [
      `${server}/redirect/decide`,
      `${server}/rules/conditions`,
      `${server}/rules/routing`,
      `${server}/rules/rule-bits`,
      `${server}/rules/wall-clock`,
      `${server}/rules/split`,
      `${server}/rules/link-routing`,
    ],
    {
      [`${server}/rules/routing`]: `${server}/rules/conditions`,
      [`${server}/rules/rule-bits`]: `${server}/rules/conditions`,
      [`${server}/rules/wall-clock`]: `${server}/rules/conditions`,
    },
    90,
  ),
  urls: group([`${server}/qrcodes/destination`, `${server}/qrcodes/own-addresses`, `${contract}/urls`]),
  pages: group(
    [`${server}/kernel/page`, `${server}/analytics/log-cursor`, `${contract}/pages`, `${sdk}/pages`],
    {
      [`${sdk}/pages`]: `${sdk}/signpost`,
    },
  ),
};
