import { type CodeRouting, type NamedUrl, type RoutingChange, urlsOfRouting } from '../rules/code-routing.ts';

/** What says where a code leads: a code, a wanted one, or a change of one. */
export type Leading = {
  readonly destinationUrl?: string | undefined;
  readonly routing?: CodeRouting | Partial<CodeRouting> | RoutingChange | undefined;
};

/** Every URL that it can lead to, with the name of its field. */
export const urlsOf = ({ destinationUrl, routing = {} }: Leading): readonly NamedUrl[] => [
  ...(destinationUrl === undefined ? [] : [{ param: 'destination_url', url: destinationUrl }]),
  ...urlsOfRouting(routing),
];
