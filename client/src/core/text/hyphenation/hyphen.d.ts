declare module 'hyphen/*' {
  export function hyphenateSync(text: string, options?: { readonly minWordLength?: number }): string;
}
