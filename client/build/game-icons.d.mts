export declare const ICONS_PER_FILE: number;
export declare function writeGameIcons(root: string, outDir: string): void;
