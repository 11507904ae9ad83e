/**
 * Breaks the line at Ctrl+Enter, as the cells of the table do: the browser does so at Enter and Shift+Enter alone.
 * The field's own `onChange` hears of it.
 */
export function breakLine(event: React.KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey || event.altKey)) return;
  event.preventDefault();
  event.stopPropagation();
  const field = event.currentTarget;
  field.setRangeText('\n', field.selectionStart, field.selectionEnd, 'end');
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
