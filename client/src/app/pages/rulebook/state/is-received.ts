/** True if a transaction only brings in the steps of others. */
export const isReceived = (transaction: { getMeta: (key: string) => unknown }): boolean =>
  transaction.getMeta('collab$') !== undefined;
