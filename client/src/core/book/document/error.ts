/** A rulebook that cannot be read or set. The message names the fault, its place and the remedy. */
export class RulebookError extends Error {
  override readonly name = 'RulebookError';
  /** Id of the block that it is in, where it is in one. */
  readonly block: string | undefined;

  constructor(
    message: string,
    { block, cause }: { readonly block?: string | undefined; readonly cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.block = block;
  }
}
