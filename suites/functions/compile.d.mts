/** The folder of the sample functions. */
export const SAMPLE: string;
/** Compiles the sample where it has changed; its folder. */
export function compileSample(): string;
