/** The Lua interpreter that tests run scripts of Tabletop Simulator in, as far as they use it. */
declare module 'fengari' {
  type State = { readonly state: unique symbol };
  export const to_luastring: (text: string) => Uint8Array;
  export const lauxlib: {
    luaL_newstate(): State;
    /** True if it failed; the answer or the error lies on top of the stack. */
    luaL_dostring(state: State, code: Uint8Array): boolean;
  };
  export const lualib: { luaL_openlibs(state: State): void };
  export const lua: { lua_tojsstring(state: State, index: number): string };
}
