export type WorkbookMethods = {
  read: { argument: Uint8Array; result: readonly (readonly string[])[]; progress: never };
};
