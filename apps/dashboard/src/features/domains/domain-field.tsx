import { Select } from '@mantine/core';
import type { Domain } from '@signpost/contract';
import type { ReactNode } from 'react';
import { domainsText as text } from '../../strings/domains.ts';
import { shownUrl } from '../../ui/format.ts';

type Props = {
  readonly domains: readonly Domain[];
  readonly serviceBase: string;
  /** Empty: the host of the service. */
  readonly value: string;
  readonly onChange: (host: string) => void;
  readonly error: ReactNode;
};

const searchableFrom = 8;

/** Which host a new code is printed with. Nothing where there is no choice. */
export function DomainField({ domains, serviceBase, value, onChange, error }: Props) {
  const active = domains.filter(({ status }) => status === 'active');
  if (active.length === 0) return null;
  return (
    <Select
      label={text.choose}
      description={text.chooseHint}
      data={[
        ...active.map(({ host }) => ({ value: host, label: host })),
        { value: '', label: text.service(shownUrl(serviceBase)) },
      ]}
      value={value}
      onChange={host => onChange(host ?? '')}
      allowDeselect={false}
      searchable={active.length >= searchableFrom}
      error={error}
    />
  );
}
