import { Select } from '@mantine/core';
import type { Domain } from '@signpost/contract';
import type { ReactNode } from 'react';
import { domainsText as text } from '../../strings/domains.ts';
import { shownUrl } from '../../ui/format.ts';

type Props = {
  /** Active ones, at least one. */
  readonly domains: readonly Domain[];
  readonly serviceBase: string;
  /** Empty: the host of the service. */
  readonly value: string;
  readonly onChange: (host: string) => void;
  readonly error: ReactNode;
};

const searchableFrom = 8;

/** Which host a new code is printed with. */
export function DomainField({ domains, serviceBase, value, onChange, error }: Props) {
  return (
    <Select
      label={text.choose}
      description={text.chooseHint}
      data={[
        ...domains.map(({ host }) => ({ value: host, label: host })),
        { value: '', label: text.service(shownUrl(serviceBase)) },
      ]}
      value={value}
      onChange={host => onChange(host ?? '')}
      allowDeselect={false}
      searchable={domains.length >= searchableFrom}
      error={error}
    />
  );
}
