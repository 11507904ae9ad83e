import { useEffect, useRef, useState } from 'react';
import type { FontFamily } from '../../core/text/fonts/catalogue.ts';
import { previewName, usePreviewFace } from './preview-face.ts';

/** A family's name, set in the family itself once it has come into view. */
export function FontName({ family }: { family: FontFamily }) {
  const element = useRef<HTMLSpanElement>(null);
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    const { current } = element;
    if (!current) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  const shown = usePreviewFace(family, seen);
  return (
    <span ref={element} style={shown ? { fontFamily: `"${previewName(family)}"` } : undefined}>
      {family.name}
    </span>
  );
}
