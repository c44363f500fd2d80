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
  signing: group([
    `${server}/webhooks/delivery/attempts/signature`,
    `${server}/webhooks/secret`,
    `${sdk}/webhooks`,
  ]),
  guard: group([
    `${server}/webhooks/address-guard`,
    `${server}/webhooks/resolver`,
    `${server}/kernel/addresses/client-address`,
  ]),
  keys: group([`${server}/accounts/api-key`]),
  limiter: group([`${server}/limits/sliding-windows`, `${server}/limits/sliding-window-decision`]),
  counting: group(
    [
      `${server}/scans/counting-rule`,
      `${server}/scans/device/agents`,
      `${server}/ingest/counting/check`,
      `${server}/ingest/counting/classify`,
    ],
    { [`${server}/scans/device/agents`]: `${server}/scans/counting-rule` },
  ),
  rules: group(
    [
      `${server}/redirect/decide`,
      `${server}/rules/conditions`,
      `${server}/rules/compile-rules`,
      `${server}/rules/rule-bits`,
      `${server}/rules/wall-clock`,
      `${server}/rules/split`,
      `${server}/rules/link-rules`,
    ],
    {
      [`${server}/rules/compile-rules`]: `${server}/rules/conditions`,
      [`${server}/rules/rule-bits`]: `${server}/rules/conditions`,
      [`${server}/rules/wall-clock`]: `${server}/rules/conditions`,
    },
    90,
  ),
  urls: group([
    `${server}/qrcodes/targets/destination`,
    `${server}/qrcodes/creation/own-addresses`,
    `${contract}/urls`,
  ]),
  pages: group(
    [`${server}/kernel/page`, `${server}/scans/log/log-cursor`, `${contract}/pages`, `${sdk}/pages`],
    {
      [`${sdk}/pages`]: `${sdk}/signpost`,
    },
  ),
};
