import { useNavigate } from '@tanstack/react-router';
import type { MouseEvent } from 'react';

/** The whole row opens its code; links, buttons and menus in it keep their own meaning, and so does marked text. */
export function useOpenCode(): (event: MouseEvent<HTMLElement>, id: string) => void {
  const navigate = useNavigate();
  return (event, id) => {
    const target = event.target as Element;
    // The menu of a row is drawn elsewhere in the document, but React passes its clicks on to the row.
    if (!event.currentTarget.contains(target) || target.closest('a, button, input, label, [role=note]'))
      return;
    if (window.getSelection()?.toString()) return;
    if (event.metaKey || event.ctrlKey) window.open(`/app/codes/${id}`, '_blank', 'noopener');
    else void navigate({ to: '/codes/$id', params: { id } });
  };
}
