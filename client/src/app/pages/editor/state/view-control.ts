/** Operations of commands on the canvas. */
export interface ViewControl {
  zoomBy(factor: number): void;
  /** The whole card. */
  fit(): void;
  /** As large as it will be printed, as far as the screen's size is known. */
  realSize(): void;
  /** Shows the card before or after. */
  step(by: 1 | -1): void;
  hasCard(by: 1 | -1): boolean;
}
