import type { AuditEvent } from '@signpost/contract';
import { activityText } from '../../strings/activity.ts';

const actions: Readonly<Record<string, string>> = activityText.actions;
const maxNames = 3;

export const describeActor = ({ kind, name, id }: AuditEvent['actor']): string => {
  if (kind === 'operator') return activityText.operator;
  if (kind === 'nobody') return activityText.nobody;
  return kind === 'key' ? activityText.key(name ?? id ?? '') : (name ?? id ?? '');
};

/** An action of a newer server is shown by its id. */
export const describeAction = (action: string): string => actions[action] ?? action;

/** What the event is about: names of codes that are still there, hosts, fields and counts. */
export function describeDetails({ subjects, fields, hosts, count }: AuditEvent): readonly string[] {
  const codes = subjects.filter(({ id }) => id.startsWith('qr_'));
  const names = codes.slice(0, maxNames).map(({ name }) => name ?? activityText.deletedCode);
  const rest = codes.length - names.length;
  return [
    ...(names.length > 0 ? [[...names, ...(rest > 0 ? [activityText.more(rest)] : [])].join(', ')] : []),
    ...(count !== null && codes.length === 0 ? [activityText.count(count)] : []),
    ...(hosts.length > 0 ? [activityText.hosts(hosts.join(', '))] : []),
    ...(fields.length > 0 ? [activityText.fields(fields.map(toWords).join(', '))] : []),
  ];
}

const toWords = (field: string) => field.replaceAll('_', ' ');
