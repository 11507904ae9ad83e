/** URL of each worker, by the name before `.worker.ts`; filled in by the build. */
declare const __WORKER_URLS__: Readonly<Record<string, string>>;
/** True when the build put the official `firebase` package in the shim's place. */
declare const __OFFICIAL_SDK__: boolean;
/** Version from package.json. */
declare const __APP_VERSION__: string;

declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>;
  export default classes;
}
declare module '*.css';
declare module '*.wasm' {
  const url: string;
  export default url;
}
declare module '*.woff2' {
  const url: string;
  export default url;
}
declare module '*.svg' {
  const url: string;
  export default url;
}
declare module '*.md' {
  const text: string;
  export default text;
}
