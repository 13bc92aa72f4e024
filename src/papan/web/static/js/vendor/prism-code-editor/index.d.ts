// The part of the editor that papan uses, for the checker of types alone: no browser reads this.

export interface EditorOptions {
  value?: string;
  language?: string;
  tabSize?: number;
  readOnly?: boolean;
  lineNumbers?: boolean;
  onUpdate?: (value: string) => void;
}

export interface PrismEditor {
  readonly container: HTMLDivElement;
  readonly textarea: HTMLTextAreaElement;
  readonly lines: HTMLCollectionOf<HTMLDivElement>;
  readonly value: string;
  setOptions(options: EditorOptions): void;
  remove(): void;
}

export type Extension = object | ((...given: any[]) => void);

export function createEditor(
  container: Element | null,
  options: EditorOptions,
  ...extensions: Extension[]
): PrismEditor;
