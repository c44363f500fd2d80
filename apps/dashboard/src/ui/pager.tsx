import { Pagination } from '@mantine/core';
import type { Pagination as Pages } from '@signpost/contract';

import { commonText } from '../strings/common.ts';

const words = commonText.pager;

type Props = {
  readonly pages: Pick<Pages, 'page' | 'total_pages'>;
  readonly what: string;
  readonly onChange: (page: number) => void;
};

/** Pages of a list; nothing where one page holds it all. */
export function Pager({ pages, what, onChange }: Props) {
  if (pages.total_pages <= 1) return null;
  return (
    <Pagination
      total={pages.total_pages}
      value={pages.page}
      onChange={onChange}
      size="sm"
      getItemProps={page => ({ 'aria-label': words.page(page, what) })}
      getControlProps={control => ({ 'aria-label': words.control(control, what) })}
    />
  );
}
