import { type CodeRules, type CodeRulesChange, listRuleUrls, type NamedUrl } from '../../rules/code-rules.ts';

/** What says where a code leads: a code, a wanted one, or a change of one. */
export type Leading = {
  readonly destinationUrl?: string | undefined;
  readonly routing?: CodeRules | Partial<CodeRules> | CodeRulesChange | undefined;
};

/** Every URL that it can lead to, with the name of its field. */
export const listUrls = ({ destinationUrl, routing = {} }: Leading): readonly NamedUrl[] => [
  ...(destinationUrl === undefined ? [] : [{ param: 'destination_url', url: destinationUrl }]),
  ...listRuleUrls(routing),
];
