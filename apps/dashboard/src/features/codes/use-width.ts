import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** The width of an element, known before the first paint: what depends on it never shows its wrong form. */
export function useWidth<Element extends HTMLElement>(): {
  readonly ref: RefObject<Element | null>;
  readonly width: number;
} {
  const ref = useRef<Element>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = () => setWidth(element.getBoundingClientRect().width);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, width };
}
